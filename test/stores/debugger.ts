import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** In MB. */
export interface Memory {
  /** What is reachable: the heap and buffers, after garbage collection. */
  readonly used: number;
  /** What the process has of the memory of the machine. */
  readonly resident: number;
}

/** The debugger of another process of Node.js. */
export interface Debugger {
  memory(): Promise<Memory>;
  close(): void;
}

/** Opens the debugger of a process that was started with `--inspect-port=0` and whose `stderr` is a pipe. */
export async function openDebugger(child: ChildProcess): Promise<Debugger> {
  const printed = new Promise<string>((resolve) => {
    let text = '';
    child.stderr?.on('data', (bytes: Buffer) => {
      text += String(bytes);
      const [url] = /ws:\/\/\S+/.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  child.kill('SIGUSR1');
  const socket = new WebSocket(await printed);
  await once(socket, 'open');
  let count = 0;
  const call = async (method: string, params: object = {}): Promise<unknown> => {
    const id = ++count;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const receive = ({ data }: MessageEvent<string>): void => {
      const message = JSON.parse(data) as { readonly id?: number; readonly result?: unknown };
      if (message.id !== id) return;
      socket.removeEventListener('message', receive);
      resolve(message.result);
    };
    socket.addEventListener('message', receive);
    socket.send(JSON.stringify({ id, method, params }));
    return promise;
  };
  return {
    async memory() {
      await call('HeapProfiler.collectGarbage');
      const expression = 'process.memoryUsage()';
      const { result } = (await call('Runtime.evaluate', { expression, returnByValue: true })) as {
        readonly result: { readonly value: NodeJS.MemoryUsage };
      };
      const { heapUsed, external, rss } = result.value;
      return { used: (heapUsed + external) / 1_048_576, resident: rss / 1_048_576 };
    },
    close: () => socket.close(),
  };
}
