import { lstatSync, readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { formatRows } from '../arguments.ts';
import type { Arguments } from '../commands.ts';
import { widthOf } from '../terminal.ts';
import { skillFiles, skillFolder, wantsSkill, withAgentLines } from './agents.ts';
import { projectApi } from './first-request.ts';
import { planFor, type NewFile } from './plan.ts';
import { readProject } from './project.ts';
import { assertInside, isThere, writeAll } from './project-files.ts';
import { withScript } from './with-script.ts';

/**
 * Adds Backlot to the project of the working directory, and prints what it wrote and what to type next. Files that are there
 * stay as they are.
 *
 * @throws UsageError without a `package.json`, for a path that a link leads out of the project or that a folder or a file is in
 *   the way of, and for a file that may not be written; then nothing is written
 */
export async function init({ apiPath, skill, dryRun }: Arguments<'init'>): Promise<void> {
  const project = readProject();
  const { tools, files, missing, next } = planFor(project, apiPath, await projectApi(apiPath));
  const manifest = withScript(project);
  const changed: NewFile = {
    path: 'package.json',
    about: 'the script "mock": "backlot"',
    content: manifest ?? '',
  };
  const folder = skillFolder(project);
  const isAdded = skill || (!dryRun && (await wantsSkill(folder)));
  const rows = [
    ...[...files, ...(isAdded ? skillFiles(folder) : [])].map(
      (file) => [isThere(file.path) ? 'keep' : 'write', file] as const,
    ),
    [manifest === undefined ? 'keep' : 'change', changed] as const,
    ...agentRows(),
  ];
  const written = rows.filter(([act]) => act !== 'keep');
  for (const [, { path }] of written) assertInside(path);
  if (!dryRun)
    writeAll(
      written.map(([act, { path, content }]) => ({ path, content, isNew: act === 'write' })),
    );
  const width = widthOf(process.stdout);
  console.log(`Found: ${tools.join(', ')}.\n`);
  const texts = rows.map(
    ([act, { path, about }]) =>
      [
        `${(dryRun ? plans : acts)[act]} ${path}`,
        act === 'keep' ? (kept[path] ?? keptPath(path, apiPath) ?? there) : about,
      ] as const,
  );
  console.log(formatRows(texts, width).join('\n'));
  if (dryRun) for (const [act, file] of rows) if (act === 'write') print(file);
  const install =
    missing.length === 0 ? [] : [[`${project.manager.add} ${missing.join(' ')}`, ''] as const];
  const offer = [`${project.manager.execute} backlot init --skill`, 'a skill for coding agents'];
  const offered = isAdded || isThere(folder) ? [] : [offer as [string, string]];
  const lines = [...install, ...next, ...offered].map(
    ([line, about]) => [styleText('cyan', line), about] as const,
  );
  console.log(`\n${dryRun ? 'Then' : 'Next'}:\n${formatRows(lines, width).join('\n')}`);
}

const acts = { write: 'wrote  ', change: 'changed', keep: 'kept   ' };
const plans = { write: 'would write ', change: 'would change', keep: 'would keep  ' };

const there = 'it is there already';
const kept: Readonly<Record<string, string>> = {
  'package.json': 'it has a script "mock"',
  'AGENTS.md': 'it names Backlot already',
};

/** Says how a definition that is there gets the path of a flag. */
function keptPath(path: string, apiPath: string | undefined): string | undefined {
  return apiPath !== undefined && path.startsWith('backlot.config.')
    ? `it is there already: add \`path: '${apiPath}'\` to it, or drop --api-path`
    : undefined;
}

/** Returns the change of `AGENTS.md`, if the project has one that is no link. */
function agentRows() {
  const path = 'AGENTS.md';
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return [];
  const content = withAgentLines(readFileSync(path, 'utf8'));
  const file: NewFile = {
    path,
    about: 'five lines on Backlot, between comments',
    content: content ?? '',
  };
  return [[content === undefined ? 'keep' : 'change', file] as const];
}

function print({ path, content }: NewFile): void {
  console.log(`\n${styleText('bold', path)}\n${content.trimEnd().replaceAll(/^/gm, '  ')}`);
}
