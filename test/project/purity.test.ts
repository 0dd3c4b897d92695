import { expect, test } from 'vitest';
import { code, sources } from '../support/tree.ts';

/** Sources that differ by run or runtime. The core uses none, so that equal requests return equal bytes. */
const forbidden = {
  'the clock of the machine': /\bnew Date\(\s*\)|\bDate\.now\b|\bDate\(\s*\)|\bperformance\.now\b/,
  'chance of the machine': /\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b/,
  'the zone or language of the machine': /\.toLocale\w*String\(\s*\)|\bgetTimezoneOffset\b/,
  timers: /\b(setTimeout|setInterval|setImmediate|queueMicrotask)\b/,
  'globals of Node': /\b(process|Buffer|__dirname|__filename|require)\b\s*[.([]/,
};

const shared = sources('src').filter(
  (path) =>
    !/^src\/(cli|mounts|studio|suite|verify\/(proxy|pull|replay)|engine\/dashboard)\//.test(path),
);

test.each(Object.entries(forbidden))('the core does not use %s', (_name, pattern) => {
  expect(shared.filter((path) => pattern.test(code(path)))).toEqual([]);
});

test('no source casts a type away', () => {
  const argued = /\bas any\b|\bas unknown as\b/;
  expect(sources('src').filter((path) => argued.test(code(path)))).toEqual([]);
});

test('at most 10 variables of modules change', () => {
  const found = sources('src').flatMap((path) =>
    Array.from(
      code(path).matchAll(/^(?:export )?(?:let|var) .*/gm),
      ([line]) => `${path}: ${line}`,
    ),
  );
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(10);
});
