import { expect, test } from 'vitest';
import * as z from 'zod';
import { parser as browserParser } from '../../src/engine/rest/parser-browser.ts';
import { parser } from '../../src/engine/rest/parser.ts';

const schema = z.strictObject({ name: z.string().min(1), count: z.int().default(1) });

test.each([{ name: 'Ada' }, { name: 'Ada', count: 2 }, { name: '' }, { other: 1 }, null, 'text'])(
  'the parser of the browser bundle parses %j as the compiled one does',
  (value) => {
    const [compiled, plain] = [parser(schema)(value), browserParser(schema)(value)];
    expect(plain.success).toBe(compiled.success);
    expect(plain.data).toEqual(compiled.data);
    expect(plain.error?.issues).toEqual(compiled.error?.issues);
  },
);
