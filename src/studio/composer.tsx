import { useState } from 'preact/hooks';
import { act } from './store.ts';
import type { Reply, Source } from './source.ts';
import { Button, Json } from './ui.tsx';

/** A request to fill in. */
export interface Draft {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A form for one request, which shows the response. Docs and "Send again" share it. */
export function Composer({ source, draft }: { readonly source: Source; readonly draft: Draft }) {
  const [body, setBody] = useState(
    draft.body === undefined ? '' : JSON.stringify(draft.body, null, 2),
  );
  const [reply, setReply] = useState<Reply<unknown>>();
  const line = `${draft.method} ${draft.url}`;
  const send = async () => {
    const sent = body === '' ? undefined : (JSON.parse(body) as unknown);
    setReply(await act(line, () => source.call(line, sent, draft.headers)));
  };
  return (
    <div class="composer">
      <label>
        Body
        <textarea rows={8} value={body} onInput={(event) => setBody(event.currentTarget.value)} />
      </label>
      <Button kind="primary" of={line} onClick={send}>
        Send
      </Button>
      {reply !== undefined && <Json label="Response" value={reply.body} />}
    </div>
  );
}
