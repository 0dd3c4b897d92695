import { useState } from 'preact/hooks';
import type { EntryExplanation } from '../engine/definition/explanation.ts';
import { valuesInPath } from '../engine/lib/api-path.ts';
import { isObject, withValue } from '../engine/lib/json-value.ts';
import type { Draft } from './sent-request.ts';
import { Composer } from './lazy-view.tsx';
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
        {isRequest && <span class="end">{copiesOf(studio, entry)}</span>}
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

/** Forms in which a request is sent elsewhere. */
function copiesOf(studio: Studio, { id, title }: Entry) {
  return (
    <Menu title="Copy as" of={title}>
      {(['curl', 'fetch'] as const).map((format) => (
        <CopyButton
          key={format}
          of={title}
          text={() => studio.client.read<string>(`GET /_backlot/journal/${id}/as?format=${format}`)}
        >
          <span class="unseen">Copy as </span>
          {format}
        </CopyButton>
      ))}
    </Menu>
  );
}

/** Returns the body of a refused request with a value that is accepted in place of each that was not, as far as one is known. */
async function acceptedBody(studio: Studio, id: number, body: unknown): Promise<unknown> {
  const why = await studio.client.read<EntryExplanation>(`GET /_backlot/journal/${id}/why`);
  const known = (why?.refused ?? []).filter(
    ({ path, example, omit }) => path.length > 0 && (example !== undefined || omit === true),
  );
  const sent = isObject(body) ? body : {};
  return known.reduce((fixed, { path, example }) => withValue(fixed, path, example), sent);
}
