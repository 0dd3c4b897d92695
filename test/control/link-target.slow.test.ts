import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkTarget } from '../../src/engine/control/link-target.ts';
import { openServer } from '../support/server.ts';
import { runs } from '../support/runs.ts';

function isNamed(origin: string): boolean {
  return origin === 'https://shop.example';
}

test.each([
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e//evil.example',
  '/\t/evil.example',
  '\t//evil.example',
  '/\n/evil.example',
  'https:/evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'blob:https://shop.example/1',
  'https://shop.example@evil.example/',
  'https://user:secret@shop.example/',
  'https://shop.example.evil.example/',
  'shop',
])('a link does not lead to %j', (to) => {
  const { call, sessions } = openServer({ newName: () => 'visitor' });
  const { status } = call(`GET /_backlot/begin?to=${encodeURIComponent(to)}`);
  expect(status).toBe(400);
  expect(sessions.sessions.list()).toEqual([]);
  expect(linkTarget(to, isNamed)).toBeUndefined();
});

test('any accepted target stays at its host or leads to a named origin', () => {
  const pieces = [
    '/',
    '\\',
    '//',
    '.',
    '..',
    '@',
    ':',
    '?',
    '#',
    '%2f',
    '%5c',
    'evil.example',
    ' ',
  ];
  const parts = fc.array(fc.constantFrom(...pieces, 'https:', 'https://shop.example', 'a', 'ä'), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(
      fc.oneof(
        parts.map((all) => all.join('')),
        fc.webUrl(),
        fc.string(),
      ),
      (text) => {
        const target = linkTarget(text, isNamed);
        if (target === undefined) return;
        const { origin } = new URL(target, 'http://own.example/_backlot/begin');
        expect(['http://own.example', 'https://shop.example']).toContain(origin);
      },
    ),
    { numRuns: runs(2000) },
  );
});
