import { useState } from 'preact/hooks';
import { acceptedBody } from './accepted-body.ts';
import { Composer, type Draft } from './composer.tsx';
import { download } from './download.ts';
import type { Entry } from './entries.ts';
import { Menu } from './menu.tsx';
import { hrefTo } from './route.ts';
import { hasHistory, notice, read, rewind } from './store.ts';
import { TakesBack } from './takes-back.tsx';
import { Button, CopyButton } from './ui.tsx';

/** What can be done with an entry. */
export function EntryActions({ entry }: { readonly entry: Entry }) {
  const [draft, setDraft] = useState<Draft>();
  const { id, method, url, endpoint, rewindable } = entry;
  const isRequest = method !== undefined && url !== undefined;
  return (
    <>
      <div class="row actions">
        {isRequest && <SendButton entry={entry} draft={draft} onDraft={setDraft} />}
        {rewindable && (
          <Button of={`#${id}`} onClick={() => rewind(id, 'before')}>
            <span aria-hidden="true">↶ </span>Back to before
          </Button>
        )}
        {endpoint?.includes(' /api') === true && (
          <a class="button" href={`${hrefTo('rules')}?endpoint=${encodeURIComponent(endpoint)}`}>
            Break it<span class="unseen">{` #${id}`}</span>
          </a>
        )}
        <span class="end">
          <Copies entry={entry} isRequest={isRequest} />
        </span>
      </div>
      {rewindable && (
        <p>
          <TakesBack what="Going back" id={id} />
        </p>
      )}
      {draft !== undefined && <Composer key={JSON.stringify(draft)} draft={draft} />}
    </>
  );
}

/** Forms in which an entry is taken elsewhere. */
function Copies({
  entry: { id, title },
  isRequest,
}: {
  readonly entry: Entry;
  readonly isRequest: boolean;
}) {
  if (!isRequest && !hasHistory.value) return null;
  const exported = (as: string) => async () => {
    const text = await read<unknown>(`GET /_backlot/journal/export?from=${id}&to=${id}&as=${as}`);
    return typeof text === 'string' || text === undefined ? text : JSON.stringify(text, null, 2);
  };
  const forms: readonly (readonly [name: string, text: () => Promise<string | undefined>])[] = [
    ['curl', () => requestAs(id, 'curl')],
    ['fetch', () => requestAs(id, 'fetch')],
    ['test of vitest', exported('vitest')],
    ['HAR', exported('har')],
  ];
  return (
    <Menu title="Copy as" of={title}>
      {isRequest &&
        forms.map(([name, text]) => (
          <CopyButton key={name} of={title} text={text}>
            <span class="unseen">Copy as </span>
            {name}
          </CopyButton>
        ))}
      {hasHistory.value && (
        <Button of={`up to #${id}`} onClick={() => keepAsScenario(id)}>
          Keep as scenario
        </Button>
      )}
    </Menu>
  );
}

/** Opens the request in a composer: a refused one with values that are accepted. */
function SendButton({
  entry: { id, method = '', url = '', request, title, outcome },
  draft,
  onDraft,
}: {
  readonly entry: Entry;
  readonly draft: Draft | undefined;
  readonly onDraft: (draft: Draft | undefined) => void;
}) {
  const sent = request?.body;
  if (outcome === 'rejected' && sent !== undefined)
    return (
      <Button
        kind="primary"
        of={title}
        onClick={async () => onDraft({ method, url, body: await acceptedBody(id, sent) })}
      >
        Fix and send
      </Button>
    );
  return (
    <Button
      of={title}
      onClick={() => onDraft(draft === undefined ? { method, url, body: sent } : undefined)}
    >
      Send again
    </Button>
  );
}

function requestAs(id: number, format: 'curl' | 'fetch'): Promise<string | undefined> {
  return read(`GET /_backlot/journal/${id}/as?format=${format}`);
}

/** Downloads a scenario that opens to the state after an entry. */
async function keepAsScenario(id: number): Promise<void> {
  const scenario = await read(`GET /_backlot/journal/export?to=${id}&as=scenario`);
  if (scenario === undefined) return;
  const name = `after-${id}.json`;
  download(name, 'application/json', JSON.stringify(scenario, null, 2));
  notice.value = { kind: 'done', text: `Saved the shop after #${id} as ${name}` };
}
