import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { tonesWith, type Tone } from '../engine/journal/tone.ts';
import { Actions } from './actions.ts';
import { withoutPages, type ApiPages, type LoadView } from './api-pages.ts';
import { Client } from './client.ts';
import { Connection } from './connection.ts';
import { EntryList } from './entry-list.ts';
import { Notices } from './notices.ts';
import { Preview } from './preview.ts';
import { Router } from './route.ts';
import type { ComposerProps } from './sent-request.ts';
import { ShopState } from './shop-state.ts';
import type { Source } from './source.ts';

/** The views of the studio, each loaded when it is first opened. */
export interface Views extends Record<
  'home' | 'activity' | 'rules' | 'chaos' | 'time' | 'docs',
  LoadView<unknown>
> {
  readonly composer: LoadView<ComposerProps>;
  readonly files: () => Promise<Files>;
}

/** The functions of the studio that read and write files. */
export interface Files {
  readonly saveTrace: (studio: Studio) => Promise<void>;
  readonly openFile: (studio: Studio, file: File) => Promise<void>;
  readonly sendAgain: (studio: Studio) => Promise<void>;
  readonly linkToState: (studio: Studio) => Promise<string | undefined>;
  readonly openLink: (studio: Studio, state: string) => Promise<void>;
}

/** The state and the parts of one studio. Two studios on a page share nothing. */
export interface Studio {
  /** The views and words of its API. */
  readonly pages: ReadonlySignal<ApiPages>;
  /** The tones of words: of states, outcomes, and what made entries. */
  readonly tones: ReadonlySignal<ReadonlyMap<string, Tone>>;
  readonly views: Views;
  readonly router: Router;
  readonly client: Client;
  readonly notices: Notices;
  /** The shop, without its present clock: that of `preview` may be of the past. */
  readonly shop: Omit<ShopState, 'clock'>;
  readonly history: EntryList;
  readonly connection: Connection;
  readonly actions: Actions;
  readonly preview: Preview;
  /** The token of the API, which all requests that a person sends have. */
  readonly token: Signal<string>;
  /** Whether the palette is open. */
  readonly isFinding: Signal<boolean>;
}

/**
 * Creates a studio.
 *
 * @param source the back office that it shows and controls
 * @param apiPages the views and words of its API
 * @param views its views, each loaded when it is first opened
 */
export function createStudio(source: Source, apiPages: ApiPages, views: Views): Studio {
  const notices = new Notices();
  const client = new Client(source, notices);
  const shop = new ShopState(client);
  const parts = { client, notices, shop };
  const history = new EntryList(parts);
  const bare = withoutPages(apiPages);
  const pages = computed(() => (shop.hasPages.value ? apiPages : bare));
  return {
    ...parts,
    pages,
    views,
    tones: computed(() => tonesWith(pages.value.tones)),
    router: new Router(pages, shop.hasFindings),
    history,
    connection: new Connection({ ...parts, history }),
    actions: new Actions(parts),
    preview: new Preview(client, shop),
    token: signal(''),
    isFinding: signal(false),
  };
}

const Context = createContext<Studio | undefined>(undefined);

/** Gives a studio to the components in it. */
export const StudioProvider = Context.Provider;

/** Returns the studio that a component is in. @throws Error outside of one */
export function useStudio(): Studio {
  const studio = useContext(Context);
  if (studio === undefined) throw new Error('This component is in no studio');
  return studio;
}
