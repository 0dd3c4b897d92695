import { parseJson, valueAt } from '../../engine/lib/json-value.ts';
import type { Project } from './project.ts';

const script = '"mock": "backlot"';

/**
 * Returns the text of `package.json` with a script that starts the server, and everything else as it is.
 *
 * @returns undefined if it has a script of that name
 */
export function withScript({ manifest: text, content }: Project): string | undefined {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const changed = withEntry(text.slice(mark.length), content);
  return changed && `${mark}${changed}`;
}

function withEntry(manifest: string, content: Project['content']): string | undefined {
  const { scripts = {} } = content;
  if (Object.hasOwn(scripts, 'mock')) return undefined;
  const indent = /^\s*\{\r?\n([ \t]+)"/.exec(manifest)?.[1] ?? '  ';
  const isEmpty = Object.keys(scripts).length === 0;
  const entry = `\n${indent}${indent}${script}${isEmpty ? `\n${indent}` : ','}`;
  const inScripts = manifest.replace(
    isEmpty ? /("scripts"\s*:\s*\{)\s*(?=\})/ : /("scripts"\s*:\s*\{)/,
    `$1${entry}`,
  );
  // Another object may have a key of this name.
  if (valueAt(parseJson(inScripts), ['scripts', 'mock']) !== undefined) return inScripts;
  if ('scripts' in content) {
    const all = { ...content, scripts: { mock: 'backlot', ...scripts } };
    return `${JSON.stringify(all, null, indent)}\n`;
  }
  const others = Object.keys(content).length > 0;
  return manifest.replace(
    /^\s*\{\s*/,
    `{\n${indent}"scripts": {${entry}}${others ? `,\n${indent}` : '\n'}`,
  );
}
