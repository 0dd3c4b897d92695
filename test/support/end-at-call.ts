import { writeFileSync } from 'node:fs';
import * as files from 'node:fs/promises';
import { createRequire, syncBuiltinESMExports } from 'node:module';

// Preloaded into a program (`--import`), so that it ends before a call of the file system, or in the middle of it.
let left = Number(process.env['CALLS']);
const calls = createRequire(import.meta.url)('node:fs/promises') as Record<string, unknown>;

for (const [name, call] of Object.entries(files)) {
  if (typeof call !== 'function') continue;
  calls[name] = (...values: unknown[]): unknown => {
    left -= 1;
    if (left < 0) {
      const [path, content] = values;
      if (name === 'writeFile' && typeof content === 'string')
        writeFileSync(String(path), content.slice(0, content.length / 2));
      process.kill(process.pid, 'SIGKILL');
    }
    return Reflect.apply(call, undefined, values);
  };
}
syncBuiltinESMExports();
