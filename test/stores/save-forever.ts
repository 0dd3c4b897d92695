import { FileStore } from '../../src/mounts/stores/file-store.ts';

/** Saves a session again and again, and prints the number of each save that is done, until it is killed. */
const store = await FileStore.open(process.argv[2] ?? '', { idle: 1e9, warn: console.error });
const filler = 'x'.repeat(100_000);
let { version, text = '{"count":0}' } = await store.read('ada');
for (let { count } = JSON.parse(text) as { count: number }; ;) {
  text = JSON.stringify({ count: (count += 1), filler });
  version = await store.write('ada', version, text);
  process.stdout.write(`${count}\n`);
}
