import { useState } from 'preact/hooks';
import { acceptedBody } from './accepted-body.ts';
import { Ask } from './ask.tsx';
import { Composer, type Draft } from './composer.tsx';
import type { Entry } from './entries.ts';
import { hrefTo } from './route.ts';
import type { Source } from './source.ts';
import { hasHistory, notice, read, rewind } from './store.ts';
import { TakesBack } from './takes-back.tsx';
import { Button, CopyButton } from './ui.tsx';

/** What can be done with an entry. */
export function EntryActions({
  source,
  entry,
}: {
  readonly source: Source;
  readonly entry: Entry;
}) {
  const [draft, setDraft] = useState<Draft>();
  const { id, method, url, endpoint, rewindable, title, status, outcome } = entry;
  const isRequest = method !== undefined && url !== undefined;
  return (
    <>
      <div class="row actions">
        {isRequest && <SendButtons entry={entry} draft={draft} onDraft={setDraft} />}
        {rewindable && (
          <Button of={`#${id}`} onClick={() => rewind(id, 'before')}>
            Go back to before this
          </Button>
        )}
        {isRequest && (
          <>
            <CopyButton of={title} text={() => requestAs(id, 'curl')}>
              Copy as curl
            </CopyButton>
            <CopyButton of={title} text={() => requestAs(id, 'fetch')}>
              Copy as fetch
            </CopyButton>
          </>
        )}
        {hasHistory.value && (
          <Button of={`up to #${id}`} onClick={() => keepAsScenario(id)}>
            Keep as scenario
          </Button>
        )}
        {isRequest && outcome === 'ok' && (
          <Ask path={`journal/${id}`} of={title}>
            {`Why ${status === 0 ? 'dropped' : status}?`}
          </Ask>
        )}
        {endpoint?.includes(' /api') === true && (
          <a href={`${hrefTo('rules')}?endpoint=${encodeURIComponent(endpoint)}`}>
            Slow down or break it
          </a>
        )}
      </div>
      {rewindable && (
        <p>
          <TakesBack what="Going back" id={id} />
        </p>
      )}
      {draft !== undefined && (
        <Composer key={JSON.stringify(draft)} source={source} draft={draft} />
      )}
    </>
  );
}

/** Buttons that open the request in a composer. */
function SendButtons({
  entry: { id, method = '', url = '', request, title, outcome },
  draft,
  onDraft,
}: {
  readonly entry: Entry;
  readonly draft: Draft | undefined;
  readonly onDraft: (draft: Draft | undefined) => void;
}) {
  const sent = request?.body;
  return (
    <>
      {outcome === 'rejected' && sent !== undefined && (
        <Button
          kind="primary"
          of={title}
          onClick={async () => onDraft({ method, url, body: await acceptedBody(id, sent) })}
        >
          Fix and send…
        </Button>
      )}
      <Button
        of={title}
        onClick={() => onDraft(draft === undefined ? { method, url, body: sent } : undefined)}
      >
        Send again
      </Button>
    </>
  );
}

function requestAs(id: number, format: 'curl' | 'fetch'): Promise<string | undefined> {
  return read(`GET /_backlot/journal/${id}/as?format=${format}`);
}

/** Downloads a scenario that opens to the state after an entry. */
async function keepAsScenario(id: number): Promise<void> {
  const scenario = await read(`GET /_backlot/journal/export?to=${id}&as=scenario`);
  if (scenario === undefined) return;
  const file = new Blob([JSON.stringify(scenario, null, 2)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `after-${id}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  notice.value = { kind: 'done', text: `Saved the shop after #${id} as ${link.download}` };
}
