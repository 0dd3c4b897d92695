import { toneOfStatus } from '../../engine/journal/tone.ts';
import { formatMs } from '../format.ts';
import { Json } from '../json.tsx';
import type { Reply } from '../source.ts';
import { unfold } from '../scroller.ts';
import { Disclosure } from '../ui.tsx';

/** A response with its status, time, headers and body. */
export function Response({ reply }: { readonly reply: Reply<unknown> }) {
  const { status, ms, headers, body } = reply;
  return (
    <div class="response" ref={unfold}>
      <p>
        <b class={toneOfStatus(status)}>{status}</b> <span class="soft">in {formatMs(ms)}</span>
        {headers['location'] !== undefined && (
          <span>
            {' → '}
            <code>{headers['location']}</code>
          </span>
        )}
      </p>
      {body === undefined ? (
        <p class="soft">The response has no body.</p>
      ) : (
        <Json label="Body of the response" value={body} />
      )}
      <Disclosure title={`${Object.keys(headers).length} headers`}>
        <Json label="Headers of the response" value={headerLines(headers)} />
      </Disclosure>
    </div>
  );
}

/** Headers as text, one a line. */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
