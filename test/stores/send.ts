import { setTimeout as sleep } from 'node:timers/promises';

export interface Sent {
  readonly status: number;
  readonly text: string;
  readonly notice: string | null;
  readonly retry: string | null;
}

/**
 * Sends a request of a session to any of some servers, also to those that are about to stop. If it gets no
 * connection, so that nothing was sent, it tries again, as every balancer does. Every other failure is one of the
 * test.
 */
export async function send(
  servers: readonly { readonly url: string }[],
  session: string,
  line: string,
  body?: unknown,
): Promise<Sent> {
  const [method = '', path = ''] = line.split(' ');
  for (let tries = 0; ; tries++) {
    const { url } = servers[Math.floor(Math.random() * servers.length)]!;
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          'x-backlot-session': session,
          connection: 'close',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return {
        status: response.status,
        text: await response.text(),
        notice: response.headers.get('x-backlot-notice'),
        retry: response.headers.get('retry-after'),
      };
    } catch (error) {
      const { cause } = error as { cause?: { syscall?: string } };
      if (cause?.syscall !== 'connect' || tries > 200) throw error;
      await sleep(20);
    }
  }
}
