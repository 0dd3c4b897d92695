import { useState } from 'preact/hooks';
import type { EntryExplanation } from '../engine/definition/explanation.ts';
import { valuesInPath } from '../engine/lib/api-path.ts';
import { isObject, valueAt } from '../engine/lib/json-value.ts';
import type { Draft } from './sent-request.ts';
import { Composer } from './lazy-view.tsx';
import { download } from './download.ts';
import type { Entry } from './entries.ts';
import { Menu } from './menu.tsx';
import { hrefTo } from './route.ts';
import { RewindWarning } from './rewind-warnings.tsx';
import { Button, CopyButton } from './ui.tsx';
import { useStudio, type Studio } from './studio.ts';

/** The actions on an entry. */
export function EntryActions({ entry }: { readonly entry: Entry }) {
  const studio = useStudio();
  const [draft, setDraft] = useState<Draft>();
  const { id, method, url, endpoint, rewindable, title, outcome } = entry;
  const isRequest = method !== undefined && url !== undefined;
  const sent = entry.request?.body;
  // A refused request is opened with values that are accepted.
  const isFixable = outcome === 'rejected' && sent !== undefined;
  return (
    <>
      <div class="row actions">
        {isRequest && (
          <Button
            kind={isFixable ? 'primary' : undefined}
            of={title}
            onClick={async () => {
              const isOpen = draft !== undefined && !isFixable;
              const body = isFixable ? await acceptedBody(studio, id, sent) : sent;
              setDraft(isOpen ? undefined : { method, url, body });
            }}
          >
            {isFixable ? 'Fix and send' : 'Send again'}
          </Button>
        )}
        {rewindable && (
          <Button of={`#${id}`} onClick={() => studio.actions.rewind(id, 'before')}>
            <span aria-hidden="true">↶ </span>Back to before
          </Button>
        )}
        {endpoint?.includes(' /api') === true && (
          <a class="button" href={`${hrefTo('rules')}?${ruleFor(studio, entry, endpoint)}`}>
            Break it<span class="unseen">{` #${id}`}</span>
          </a>
        )}
        <span class="end">{copiesOf(studio, entry, isRequest)}</span>
      </div>
      {rewindable && (
        <p>
          <RewindWarning what="Going back" id={id} />
        </p>
      )}
      {draft !== undefined && <Composer key={JSON.stringify(draft)} draft={draft} />}
    </>
  );
}

/** Returns the first values in the editor of rules: the endpoint and the step of a request, and its records. */
function ruleFor(studio: Studio, { step, url = '', answer }: Entry, endpoint: string): string {
  const parameters = valuesInPath(endpoint.slice(endpoint.indexOf('/')), url.replace(/\?.*/s, ''));
  const where = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return new URLSearchParams({
    endpoint,
    ...(step !== undefined && { step }),
    where: where.join(' '),
    order: studio.pages.value.rules.conditionsOf(parameters, answer?.body),
  }).toString();
}

/** Forms in which an entry is taken elsewhere. */
function copiesOf(studio: Studio, { id, title }: Entry, isRequest: boolean) {
  if (!isRequest && !studio.shop.hasHistory.value) return null;
  const request = (format: string) =>
    studio.client.read<string>(`GET /_backlot/journal/${id}/as?format=${format}`);
  const exported = async (as: string) => {
    const text = await studio.client.read<unknown>(
      `GET /_backlot/journal/export?from=${id}&to=${id}&as=${as}`,
    );
    return typeof text === 'string' || text === undefined ? text : JSON.stringify(text, null, 2);
  };
  const forms = [
    ['curl', () => request('curl')],
    ['fetch', () => request('fetch')],
    ['test of vitest', () => exported('vitest')],
    ['HAR', () => exported('har')],
  ] as const;
  return (
    <Menu title="Copy as" of={title}>
      {isRequest &&
        forms.map(([name, text]) => (
          <CopyButton key={name} of={title} text={text}>
            <span class="unseen">Copy as </span>
            {name}
          </CopyButton>
        ))}
      {studio.shop.hasHistory.value && (
        <Button of={`up to #${id}`} onClick={() => saveScenario(studio, id)}>
          Keep as scenario
        </Button>
      )}
    </Menu>
  );
}

/** Downloads a scenario that opens to the state after an entry. */
async function saveScenario(studio: Studio, id: number): Promise<void> {
  const scenario = await studio.client.read(`GET /_backlot/journal/export?to=${id}&as=scenario`);
  if (scenario === undefined) return;
  const name = `after-${id}.json`;
  download(name, 'application/json', JSON.stringify(scenario, null, 2));
  studio.notices.shown.value = { kind: 'done', text: `Saved the shop after #${id} as ${name}` };
}

/** Returns the body of a refused request with a value that is accepted in place of each that was not, as far as one is known. */
async function acceptedBody(studio: Studio, id: number, body: unknown): Promise<unknown> {
  const why = await studio.client.read<EntryExplanation>(`GET /_backlot/journal/${id}/why`);
  const known = (why?.refused ?? []).filter(
    ({ path, example, omit }) => path.length > 0 && (example !== undefined || omit === true),
  );
  return known.reduce((fixed, { path, example }) => withValue(fixed, path, example), body);
}

/** Returns JSON with another value at a path; undefined removes what is there. */
function withValue(
  body: unknown,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): unknown {
  const inner = rest.length === 0 ? value : withValue(valueAt(body, [name]), rest, value);
  if (Array.isArray(body)) return body.with(Number(name), inner);
  return { ...(isObject(body) ? body : {}), [name]: inner };
}
