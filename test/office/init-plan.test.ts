import { expect, test } from 'vitest';
import { planFor } from '../../src/cli/init/plan.ts';
import { declinedOrder } from '../../src/cli/init/texts.ts';

/** Plans for a project with these packages, files and scripts. */
function planned(packages: string[], files: string[], scripts?: Record<string, string>) {
  const manager = { add: 'npm i -D', run: 'npm run', execute: 'npx' };
  const project = {
    manifest: '{}',
    content: { ...(scripts && { scripts }) },
    packages: new Set(packages),
    isTypeScript: true,
    namesExtensions: false,
    isModule: true,
    manager,
    has: (path: string) => files.includes(path),
  };
  const {
    tools,
    files: written,
    next,
  } = planFor(project, undefined, {
    path: '/api',
    first: declinedOrder,
  });
  return { tools, paths: written.map(({ path }) => path), next };
}

test('a Vite project without a runner of tests gets no test, and the name of the file in which its app begins', () => {
  const { tools, paths, next } = planned(['vite'], ['index.html', 'src/main.tsx']);
  expect(tools).toEqual(['Vite']);
  expect(paths).toEqual(['backlot.config.ts', 'src/mocks.ts']);
  expect(next.map(([, about]) => about)).toContain('in src/main.tsx, before the app renders');
  expect(planned(['vite'], ['index.html']).next.at(-1)?.[1]).toMatch(
    /^in the script of index.html,/,
  );
  expect(planned(['vite', 'vitest'], ['index.html']).paths).toContain('backlot.test.ts');
  expect(planned([], []).paths).toContain('backlot.test.mjs');
});

test.each([
  [undefined, 'npm run mock'],
  [{ mock: 'backlot --scenario sale' }, 'npm run mock'],
  [{ mock: 'json-server db.json' }, 'npx backlot'],
])('the shop is started with the scripts %j by %s', (scripts, line) => {
  expect(planned(['vitest'], [], scripts).next[0]?.[0]).toBe(line);
});
