import { noSniff, type ApiResponse } from '../../engine/rest/message.ts';
import { writeEvents } from '../server/event-batches.ts';

/** Returns a response whose body goes on with events until the client disconnects. */
export function streamOf(
  { status, headers, body = '' }: ApiResponse,
  events: NonNullable<ApiResponse['events']>,
  {
    request,
    release = () => undefined,
  }: { readonly request: Request; readonly release?: () => void },
): Response {
  let stop = release;
  let read: (() => void) | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const close = (): void => {
        stop();
        stop = () => undefined;
      };
      const end = (): void => {
        close();
        controller.close();
      };
      const stopEvents = writeEvents(body, events, {
        write(text, written) {
          read = written;
          controller.enqueue(utf8.encode(text));
        },
        end,
        destroy: end,
      });
      stop = () => {
        stopEvents();
        release();
      };
      request.signal.addEventListener('abort', close);
    },
    pull: () => read?.(),
    cancel: () => stop(),
  });
  return new Response(stream, { status, headers: { ...headers, ...noSniff } });
}

const utf8 = new TextEncoder();
