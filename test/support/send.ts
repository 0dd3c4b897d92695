import { setTimeout as sleep } from 'node:timers/promises';

export interface Sent {
  readonly status: number;
  readonly text: string;
  readonly notice: string | null;
  readonly retry: string | null;
}

/**
 * Sends a request of a session to any of some servers, as a balancer does with health checks: not to one whose check has
 * failed, and to the next one if a server refuses the connection. Every other failure is one of the test.
 */
export async function send(
  servers: readonly { readonly url: string; readonly isUp?: boolean }[],
  session: string,
  line: string,
  body?: unknown,
): Promise<Sent> {
  const [method = '', path = ''] = line.split(' ');
  for (let tries = 0; ; tries++) {
    const up = servers.filter(({ isUp = true }) => isUp);
    const { url } = (up.length > 0 ? up : servers)[
      Math.floor(Math.random() * (up.length || servers.length))
    ]!;
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
      const { cause } = error as { cause?: { code?: string } };
      if (cause?.code !== 'ECONNREFUSED' || tries > 200) throw error;
      await sleep(20);
    }
  }
}
