export interface ReceivedEvent {
  readonly id: number;
  readonly data: string;
}

/** Maximum length of one event, in characters. */
export const maxEvent = 1_048_576;

/**
 * Parses server-sent events, as far as the control API uses them, until the stream ends:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 *
 * @param onChunk called when bytes arrive
 * @throws RangeError an event is longer than those of a back office
 */
export async function* eventsIn(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onChunk: () => void = () => undefined,
): AsyncGenerator<ReceivedEvent> {
  // Not every browser iterates over streams.
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onChunk();
      const parts = (text + value).split('\n\n');
      text = parts.pop() ?? '';
      if (text.length > maxEvent)
        throw new RangeError(`an event has more than ${maxEvent} characters`);
      for (const part of parts) {
        const event = eventOf(part);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

const dataField = 'data: ';

function eventOf(part: string): ReceivedEvent | undefined {
  const id = /^id: (\d{1,15})$/m.exec(part)?.[1];
  // JSON may have the line separator U+2028, which ends a line of a pattern, but not of an event.
  const data = part.split('\n').find((line) => line.startsWith(dataField));
  if (id === undefined || data === undefined) return undefined;
  return { id: Number(id), data: data.slice(dataField.length) };
}
