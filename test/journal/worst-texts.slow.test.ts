import { expect, test } from 'vitest';
import { redactResponse, redactText, redactUrl } from '../../src/engine/journal/redaction.ts';
import { jsonExcess } from '../../src/engine/lib/json-limits.ts';

/** What takes a quadratic expression minutes, it reads in a moment. */
const length = 300_000;

const parts = [
  'a',
  'A',
  'password',
  '"a',
  '"k":"',
  '"a"   ',
  '1',
  '1 ',
  '1-',
  '1111111111111x',
  '%',
  '%25',
  '%3',
  '%31',
  '+',
  '//a',
  '/',
  '[',
  'a[b]=',
  'a=b?',
  'a&',
  'Aa',
  ' ',
  '\\',
  '\\"',
  '{"',
  '[[',
  '\n',
];

test.each(['', '=', '?a=', '="', '@//', '"k":"', '[', '{"a":'])(
  'what is masked of a long text of one part again and again, after %j, is found in one pass',
  (start) => {
    for (const part of parts) {
      const text = start + part.repeat(length / part.length);
      for (const redact of [redactText, redactUrl, redactResponse])
        expect(typeof redact(text)).toBe('string');
      expect(['string', 'undefined']).toContain(typeof jsonExcess(text));
    }
  },
);

test('a name before = is found whole, and what is before it stays', () => {
  expect(redactText('a b?x=1&my[password]=very, token=abc;c="d=e"')).toBe(
    'a b?x=1&my[password]=*** token=***;c="d=e"',
  );
  expect(redactText('password=a=b&=c&==d')).toBe('password=***&=c&==d');
});
