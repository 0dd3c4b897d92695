// Runs one suite with each version of vitest and of MSW, in each environment and pool of vitest. Express 4 and 5 take turns.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const combinations = [
  { vitest: '4.1.12', msw: '2.15.0', express: '4.22.3' },
  { vitest: '4.1.12', msw: '3.0.5', express: '5.3.0' },
  { vitest: '5.1.0', msw: '2.15.0', express: '5.3.0' },
  { vitest: '5.1.0', msw: '3.0.5', express: '4.22.3' },
];
const others = { axios: '1.21.1', 'happy-dom': '21.0.4', jsdom: '31.0.1' };
const projects = 12;

const here = import.meta.dirname;
const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const tarball = join(here, dependencies.backlot.replace(/^file:/, ''));

for (const versions of combinations) {
  const name = Object.entries(versions).flat().join('-');
  const folder = join(here, name);
  cpSync(join(here, 'suite'), folder, { recursive: true });
  const manifest = { private: true, type: 'module', devDependencies: { ...versions, ...others } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', tarball], {
    cwd: folder,
  });

  const green = vitest(folder, 'shop');
  assert.equal(green.status, 0, `${name}\n${green.printed}`);
  assert.match(green.printed, new RegExp(`Test Files +${projects} passed`));

  const red = vitest(folder, 'refused');
  assert.equal(red.status, 1, `${name}\n${red.printed}`);
  assert.match(red.printed, new RegExp(`Test Files +${projects} failed`));
  assert.equal(readFileSync(join(folder, '.backlot/.gitignore'), 'utf8'), '*\n');
  const traces = readdirSync(join(folder, '.backlot/traces'));
  assert.equal(traces.length, projects, `${name}\n${red.printed}`);
  for (const trace of traces) {
    assert.ok(red.printed.includes(`Trace of the back office: .backlot/traces/${trace}`));
    const page = readFileSync(join(folder, '.backlot/traces', trace), 'utf8');
    assert.match(page, /<script type="text\/plain" id="trace">/);
  }
}

function vitest(folder, file) {
  const { status, stdout, stderr } = spawnSync('npx', ['vitest', 'run', file], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { status, printed: `${stdout}${stderr}` };
}
