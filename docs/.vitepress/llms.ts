import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The titles of pages by their names, in groups. */
type Pages = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Writes the pages of the site as text for agents: each one as `<name>.md`, their list as `llms.txt`, and all of them as
 * `llms-full.txt`. https://llmstxt.org
 *
 * @param site the URL of the site, with a slash at its end
 */
export function writeTexts(docs: string, outDir: string, pages: Pages, site: string): void {
  const texts: string[] = [];
  const groups = Object.entries(pages).map(([group, titles]) => {
    const lines = Object.entries(titles).map(([name, title]) => {
      const text = textOf(join(docs, `${name}.md`));
      writeFileSync(join(outDir, `${name}.md`), text);
      texts.push(text);
      return `- [${title}](${site}${name}.md)${about(text)}`;
    });
    return `## ${group}\n\n${lines.join('\n')}`;
  });
  const [, head = ''] = /^(# Backlot\n\n[^]*?)\n\n/.exec(textOf(join(docs, '../README.md'))) ?? [];
  const [title = '', ...summary] = head.split('\n').filter((line) => line !== '');
  const quoted = summary.map((line) => `> ${line}`).join('\n');
  writeFileSync(join(outDir, 'llms.txt'), `${title}\n\n${quoted}\n\n${groups.join('\n\n')}\n`);
  writeFileSync(join(outDir, 'llms-full.txt'), texts.join('\n'));
}

/** Returns a page with the files that it includes, and without its metadata. */
function textOf(path: string): string {
  return readFileSync(path, 'utf8')
    .replace(/^---\n[^]*?\n---\n/, '')
    .replaceAll(/<!--@include: (.+?)-->/g, (_, file: string) => textOf(join(path, '..', file)));
}

/** Returns the first sentence after the heading of a page. */
function about(text: string): string {
  const [, paragraph = ''] = /^# .*\n\n(?!```)([A-Z`][^]*?)\n\n/.exec(text) ?? [];
  const [sentence = ''] = /^[^]*?\.(?=\s|$)/.exec(paragraph) ?? [];
  return sentence === '' ? '' : `: ${sentence.replaceAll('\n', ' ')}`;
}
