import type { Project } from './project.ts';
import type { ProjectApi } from './first-request.ts';
import {
  configText,
  declinedOrder,
  jestConfig,
  jestTest,
  mocks,
  nodeTest,
  nextRoute,
  playwrightConfig,
  playwrightTest,
  vitestTest,
} from './texts.ts';

/** A file to write. */
export interface NewFile {
  readonly path: string;
  readonly about: string;
  readonly content: string;
}

/** The changes to a project. */
export interface Plan {
  /** The tools that were found: `vitest`. */
  readonly tools: readonly string[];
  readonly files: readonly NewFile[];
  /** Packages that the files need and the project does not name. */
  readonly missing: readonly string[];
  /** The commands to type, and their effects. */
  readonly next: readonly (readonly [line: string, about: string])[];
}

/** The text of a test, and the command that runs it. */
interface Runner {
  /** Its name in messages. */
  readonly tool: string;
  readonly files: readonly NewFile[];
  /** The packages that it needs in addition to Backlot. */
  readonly needs: readonly string[];
  /** The command that runs the test. */
  readonly command: string;
}

/**
 * Plans what Backlot adds to a project: a definition, a test for its test runner (without one, for `node:test`), and what
 * opens the shop in its pages.
 *
 * @param apiPath where clients find the API, if not at `/api`
 * @param api the API that the project has
 */
export function planFor(project: Project, apiPath: string | undefined, api: ProjectApi): Plan {
  const { packages, manager, content } = project;
  const config = configOf(project, apiPath);
  const pages = pagesOf(project, config.path);
  const tested = runnerOf(project, config.path, api);
  // A page without a runner of tests gets no test for Node.js, which would be its only one.
  const runner =
    api.first === undefined || (pages.worker && tested.tool === 'node:test') ? [] : [tested];
  const needs = [...runner.flatMap((one) => one.needs), ...(pages.worker ? ['msw'] : [])];
  const { mock = 'backlot' } = content.scripts ?? {};
  const start = mock.includes('backlot') ? `${manager.run} mock` : `${manager.execute} backlot`;
  return {
    tools: [...runner.map(({ tool }) => tool), ...pages.tools],
    files: [config, ...runner.flatMap(({ files }) => files), ...pages.files],
    missing: [...new Set(needs)].filter((name) => !packages.has(name)),
    next: [
      [start, 'the shop at http://127.0.0.1:4000, its studio at /_backlot/'],
      ...runner.map(({ command }) => [command, 'the test'] as const),
      ...pages.next,
    ],
  };
}

function configOf(project: Project, apiPath: string | undefined): NewFile {
  // Jest imports it without a compiler.
  const isTyped = project.isTypeScript && (isVitest(project) || !isJest(project));
  const end = isTyped ? 'ts' : project.isModule ? 'js' : 'mjs';
  const there = ['ts', 'js', 'mjs'].map((one) => `backlot.config.${one}`).find(project.has);
  return {
    path: there ?? `backlot.config.${end}`,
    about: 'your API: its path, fields, resources, rules and steps',
    content: configText(apiPath),
  };
}

const isVitest = ({ packages }: Project): boolean => packages.has('vitest');
const isJest = ({ packages }: Project): boolean => packages.has('jest');

function runnerOf(
  project: Project,
  config: string,
  { path: apiPath, first = declinedOrder }: ProjectApi,
): Runner {
  const { packages, isTypeScript, manager } = project;
  const script = isTypeScript ? 'ts' : project.isModule ? 'js' : 'mjs';
  const about = `a test: ${first.title}`;
  if (isVitest(project)) {
    const path = testFile(project, `test.${script}`);
    return {
      tool: 'vitest',
      files: [{ path, about, content: vitestTest(importFrom(project, path, config), first) }],
      needs: ['msw'],
      command: `${manager.execute} vitest run ${path}`,
    };
  }
  if (isJest(project)) {
    // Jest loads it with a flag only, so that its name is none of those which `jest` without the flag finds.
    const path = testFile(project, 'jest.mjs');
    const settings = 'jest.backlot.config.mjs';
    const content = jestTest(relative(path, config), first);
    return {
      tool: 'Jest',
      files: [
        {
          path: settings,
          about: 'for tests that are ES modules; your own `npm test` stays as it is',
          content: jestConfig('**/backlot.jest.mjs'),
        },
        { path, about, content },
      ],
      needs: ['msw'],
      command: `NODE_OPTIONS=--experimental-vm-modules ${manager.execute} jest -c ${settings}`,
    };
  }
  if (packages.has('@playwright/test')) {
    const path = testFile(project, `spec.${script}`);
    const settings = `playwright.backlot.config.${script}`;
    return {
      tool: 'Playwright',
      files: [
        {
          path: settings,
          about: 'a server for tests; its lines can move into your own configuration',
          content: playwrightConfig(`**/backlot.spec.${script}`, isTypeScript),
        },
        { path, about, content: playwrightTest(apiPath, first) },
      ],
      needs: [],
      command: `${manager.execute} playwright test -c ${settings}`,
    };
  }
  const path = testFile(project, 'test.mjs');
  return {
    tool: 'node:test',
    files: [{ path, about, content: nodeTest(relative(path, config), first) }],
    needs: ['msw'],
    command: `node --test ${path}`,
  };
}

interface Pages extends Pick<Plan, 'tools' | 'files' | 'next'> {
  /** Whether a page needs MSW's worker script. */
  readonly worker: boolean;
}

/** Returns the code that opens the shop in the pages of a project. */
function pagesOf(project: Project, config: string): Pages {
  const { packages, isTypeScript, manager } = project;
  const script = isTypeScript ? 'ts' : 'js';
  const worker = [
    `${manager.execute} msw init public --save`,
    'the worker script of pages',
  ] as const;
  if (packages.has('next')) {
    const app = project.has('src/app') ? 'src/app' : 'app';
    const path = `${app}/mock/[...path]/route.${script}`;
    const content = nextRoute(importFrom(project, path, config));
    const about = 'the same shop as a route';
    return {
      tools: ['Next.js'],
      files: [{ path, about, content }],
      next: [
        [`${manager.execute} next dev`, 'the shop at /mock/api/, its studio at /mock/_backlot/'],
      ],
      worker: false,
    };
  }
  if (packages.has('storybook')) {
    const line =
      "import { backlotLoader } from 'backlot/storybook'; export default { loaders: [backlotLoader] }";
    return {
      tools: ['Storybook'],
      files: [],
      next: [worker, [line, 'a shop for each story, in .storybook/preview']],
      worker: true,
    };
  }
  if (packages.has('vite') && project.has('index.html')) {
    const path = `src/mocks.${script}`;
    const content = mocks(importFrom(project, path, config));
    const line = "if (import.meta.env.DEV) await (await import('./mocks')).startMocks();";
    return {
      tools: ['Vite'],
      files: [{ path, about: 'the same shop in a page, without a server', content }],
      next: [worker, [line, `in ${entryOf(project)}, before the app renders`]],
      worker: true,
    };
  }
  return { tools: [], files: [], next: [], worker: false };
}

/** Returns the file in which the app of a page begins. */
function entryOf({ has }: Project): string {
  const names = ['main', 'index', 'app'].flatMap((name) =>
    ['tsx', 'ts', 'jsx', 'js'].map((end) => `src/${name}.${end}`),
  );
  return names.find(has) ?? 'the script of index.html';
}

/** Returns where the test goes: next to other tests, if there is a folder of them. */
function testFile({ has }: Project, end: string): string {
  const folder = ['test', 'tests', '__tests__', 'e2e'].find(has);
  return `${folder === undefined ? '' : `${folder}/`}backlot.${end}`;
}

/** Returns the specifier by which a file imports the definition, as the compilers of the project require. */
function importFrom(project: Project, file: string, config: string): string {
  const specifier = relative(file, config);
  if (!specifier.endsWith('.ts')) return specifier;
  return specifier.replace(/\.ts$/, project.namesExtensions ? '.js' : '');
}

/** `test/backlot.test.ts`, `backlot.config.ts` → `../backlot.config.ts` */
function relative(file: string, config: string): string {
  const depth = file.split('/').length - 1;
  return `${depth === 0 ? './' : '../'.repeat(depth)}${config}`;
}
