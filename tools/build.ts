/**
 * Builds the package into `dist`, or the folder that the variable `OUT_DIR` names; with the flag `--no-types`, without its
 * declarations.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeTypes } from './described-types.ts';
import { environment, root, run } from './run.ts';

const outDir = process.env['OUT_DIR'] ?? join(root, 'dist');
// Below node_modules, whose packages the declarations name.
const types = join(root, `node_modules/.cache/types-${process.pid}`);

rmSync(outDir, { recursive: true, force: true });
try {
  const env: NodeJS.ProcessEnv = { ...environment, OUT_DIR: outDir };
  if (!process.argv.includes('--no-types')) {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    // One checker takes less processor time than several, which check the same declarations.
    const options = ['--checkers', '1', '-p', '.tsconfig.build.json', '--outDir', types];
    await run('node', [compiler, ...options]);
    await describeTypes(types);
    env['TYPES_DIR'] = types;
  }
  await run('node', ['tools/pages.ts'], root, env);
  await run('tsdown', ['--log-level', 'warn'], root, env);
  await run('node', ['tools/write-dist.ts'], root, env);
} finally {
  rmSync(types, { recursive: true, force: true });
}
