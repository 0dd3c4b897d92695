import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { inPackage, version } from '../arguments.ts';
import type { NewFile } from './plan.ts';
import { isThere } from './project-files.ts';
import type { Project } from './project.ts';

/** Returns the folder of the skill in a project, as the tools of agents find it. */
export function skillFolder({ has }: Project): string {
  return `${has('.claude') ? '.claude' : '.agents'}/skills/backlot`;
}

/** Returns the skill for coding agents as files of a project. */
export function skillFiles(folder: string): readonly NewFile[] {
  const source = fileURLToPath(inPackage('dist/skills/backlot/'));
  return globSync('**/*.md', { cwd: source })
    .toSorted()
    .map((name) => ({
      path: `${folder}/${name.replaceAll('\\', '/')}`,
      about: `of the skill for coding agents, version ${version()}`,
      content: readFileSync(`${source}${name}`, 'utf8'),
    }));
}

/** Asks in a terminal whether to add the skill. Without a terminal, or if it is there, it is not added. */
export async function wantsSkill(folder: string): Promise<boolean> {
  const { stdin: input, stdout: output } = process;
  if (isThere(folder) || !input.isTTY || !output.isTTY) return false;
  const reader = createInterface({ input, output });
  const question = reader.question(`Add a skill for coding agents, ${folder}? [y/N] `);
  const closed = once(reader, 'close').then(() => '');
  const word = await Promise.race([question, closed]).catch(() => '');
  reader.close();
  return /^y(es)?$/i.test(word.trim());
}

const [start, end] = ['<!-- backlot -->', '<!-- /backlot -->'];

/** Returns the text of `AGENTS.md` with lines on Backlot at its end; undefined if it has them. */
export function withAgentLines(text: string): string | undefined {
  if (text.includes(start)) return undefined;
  return `${text.trimEnd()}

${start}
- The store API is mocked by Backlot: \`npx backlot\` serves it; tests have a shop each by \`backlot/vitest\`, \`jest\` or \`playwright\`.
- \`npx backlot contract 'POST /api/orders/'\` tells an endpoint in words. Do not read the whole OpenAPI document.
- \`npx backlot states\` lists states of a shop, and \`npx backlot open order.awaiting-payment\` opens one.
- The header \`Prefer: return=minimal\` has a response say what changed, why not, and what to send next.
- \`npx backlot explain entry 12 --brief\` and \`npx backlot explain order 3\` say why. \`npx backlot --help\` lists the rest.
${end}
`;
}
