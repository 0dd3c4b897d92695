import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment, root, run } from './run.ts';

/**
 * `npm test`: every test but the long ones. Lint and types take the processor time that tests leave while they wait. The
 * first check that fails ends the tests.
 */
async function test(): Promise<boolean> {
  await check('format:check');
  const flags = ['--configLoader', 'native', '--config', 'test/vitest.config.ts'];
  const chosen = ['--project=!*long', '--tags-filter=!long'];
  const tests = spawn('vitest', ['run', ...flags, ...chosen], {
    cwd: root,
    env: environment,
    stdio: 'inherit',
  });
  const ended = once(tests, 'exit');
  // Ctrl+C reaches the tests, too, which end the programs that they have started.
  process.on('SIGINT', () => undefined);
  try {
    await check('lint');
    await check('types');
  } catch (error) {
    tests.kill('SIGINT');
    await ended;
    throw error;
  }
  const [code] = (await ended) as [number | null];
  return code === 0;
}

/** @throws Error with all that the script printed, if it fails */
async function check(script: string): Promise<void> {
  await run('npm', ['run', '-s', script]);
}

try {
  if (!(await test())) process.exitCode = 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
