import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { checkSync, type Diagnostics } from 'recheck';
import { expect, test } from 'vitest';
import { processorTime } from '../support/processor-time.ts';

const root = join(import.meta.dirname, '../..');

/** Returns the regular expressions in the sources, each with the places that have it. */
function expressionsInSources(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of globSync('src/**/*.{ts,tsx}', { cwd: root })) {
    const source = ts.createSourceFile(
      file,
      readFileSync(join(root, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.set(node.text, [...(found.get(node.text) ?? []), `${file}:${line + 1}`]);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

/** Number of characters of a worst text. */
const length = 100_000;

/**
 * Milliseconds of processor time. A linear expression reads a worst text in less than 100, a quadratic one in thousands: no
 * machine is slow enough to take the one for the other.
 */
const maxTime = 1000;

/** Returns the text of this length for which an expression is slowest, as https://makenowjust-labs.github.io/recheck says. */
function worstText({ pumps, suffix }: Extract<Diagnostics, { status: 'vulnerable' }>['attack']) {
  const fixed = pumps.map(({ prefix }) => prefix).join('').length + suffix.length;
  const unit = pumps.map(({ pump }) => pump).join('').length;
  const count = Math.floor((length - fixed) / unit);
  return pumps.map(({ prefix, pump }) => prefix + pump.repeat(count)).join('') + suffix;
}

/** Returns why an expression is too slow; undefined if it is not. */
function slowness(literal: string): string | undefined {
  const [, source = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(literal) ?? [];
  const found = checkSync(source, flags.replace('v', 'u'), { randomSeed: 1, timeout: 60_000 });
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') return `cannot be judged: ${found.error.kind}`;
  const text = worstText(found.attack);
  const time = processorTime(() => text.replace(new RegExp(source, flags), ''), 5 * maxTime);
  return time > maxTime ? `${found.complexity.summary}: ${found.attack.pattern}` : undefined;
}

test('the time of each regular expression in src is proportional to the length of its worst text', () => {
  const slow: string[] = [];
  for (const [literal, places] of expressionsInSources()) {
    const why = slowness(literal);
    if (why !== undefined) slow.push(`${places.join(', ')} ${literal} ${why}`);
  }
  expect(slow).toEqual([]);
});

/**
 * The files that make expressions of texts, each with one as it makes them: of the names and paths of a definition, whose characters
 * are checked, of constants, and of `patternProperties` of the user's own document. A text of a request, another file or a flag is no
 * part of an expression.
 */
const made: Readonly<Record<string, string>> = {
  'src/engine/office/export/request-text.ts': String.raw`/^(?:\*{3,}\d{0,4}|SECRET-NOT-RECORDED)$/`,
  'src/mounts/fetch/fetch.ts': String.raw`/(?:\/api\/v1\.0|\/oauth|\/_backlot)(?=\/|$)/`,
  'src/mounts/server/hosts.ts': String.raw`/^(?:\/(?!\.{1,2}(?:\/|$))[\w.~!$&'()*+=:@-]+)+$/`,
  'src/studio/home/home.tsx': String.raw`/\border ([\w-]+)/`,
  'src/studio/shop/orders/names-order.ts': String.raw`/\/(orders|checkouts|order)\/105(?!\d)/`,
  'src/suite/caller-verdict.ts': String.raw`/\bcut off\b/`,
  'src/suite/schema-shape.ts': String.raw`/^x-/u`,
  'src/verify/drift/rules.ts': String.raw`/^\/api\/orders\/(?:[1-9]\d*|[\da-f-]{36})\/items\/(?:[1-9]\d*|[\da-f-]{36})$/`,
  'src/verify/replay/survey.ts': String.raw`/[=:]\s*"?(\*{3}|%2A%2A%2A|SECRET-NOT-RECORDED)/i`,
};

test('the time of each regular expression that is made of texts is proportional to the length of its worst text', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes('new RegExp('),
  );
  expect(files.toSorted()).toEqual(Object.keys(made));
  for (const [file, literal] of Object.entries(made))
    expect(slowness(literal), file).toBeUndefined();
});

test.each([String.raw`/\/+$/`, String.raw`/^(a|aa)+$/`, String.raw`/^\s*(.*?)\s*$/`])(
  '%s is found to be slow',
  (literal) => {
    expect(slowness(literal)).toMatch(/polynomial|exponential/);
  },
);
