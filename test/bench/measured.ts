import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Listens, sends the port to the parent, and sends the CPU time in microseconds at each request of the parent: after
 * a garbage collection if it says `collect`.
 */
export function measured(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
  process.on('message', (message) => {
    if (message === 'collect') gc!();
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system });
  });
  // A bench that is interrupted must not leave its servers behind.
  process.on('disconnect', () => process.exit());
}
