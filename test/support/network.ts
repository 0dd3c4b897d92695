import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A way to a server, which can be slow or interrupted. */
export interface Network {
  /** In place of that of the server. */
  readonly url: string;
  /** How long bytes take in each direction, in milliseconds. */
  delay: number;
  /** Whether nothing passes, as if all packets were lost. What was sent arrives afterwards. */
  isCut: boolean;
  close(): void;
}

/** Starts a proxy of a server. */
export async function startNetwork(to: string): Promise<Network> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const other = connect(Number(port), hostname);
    pass(socket, other);
    pass(other, socket);
  });
  const pass = (from: Socket, into: Socket): void => {
    let last = Promise.resolve();
    sockets.add(from);
    from.on('data', (bytes) => {
      const due = performance.now() + network.delay;
      last = last.then(async () => {
        const rest = due - performance.now();
        if (rest > 0) await sleep(rest);
        while (network.isCut && !into.destroyed) await sleep(20);
        into.write(bytes);
      });
    });
    from.on('error', () => into.destroy());
    from.on('close', () => {
      sockets.delete(from);
      into.destroy();
    });
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(to);
  url.port = String((server.address() as AddressInfo).port);
  const network: Network = {
    url: url.href,
    delay: 0,
    isCut: false,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return network;
}
