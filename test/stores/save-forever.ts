import { FileStore } from '../../src/mounts/stores/file-store.ts';

/** Saves a session again and again, and prints the number of each save that is done, until it is killed. */
const store = await FileStore.open(process.argv[2] ?? '', { idle: 1e9, warn: console.error });
const claim = await store.claim('ada', 'any');
const filler = 'x'.repeat(100_000);
const { count: first = 0 } =
  claim.status === 'mine' && claim.state !== undefined
    ? (JSON.parse(claim.state) as { count: number })
    : {};
for (let count = first + 1; claim.status === 'mine'; count++) {
  await store.save('ada', claim.fence, JSON.stringify({ count, filler }));
  process.stdout.write(`${count}\n`);
}
