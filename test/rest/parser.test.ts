import { expect, test } from 'vitest';
import * as z from 'zod';
import { parser } from '../../src/engine/rest/parser.ts';

const schema = z.strictObject({ name: z.string().min(1), count: z.int().default(1) });

test.each([{ name: 'Ada' }, { name: 'Ada', count: 2 }, { name: '' }, { other: 1 }, null, 'text'])(
  'a parser parses %j as its schema does, before and after it is compiled',
  (value) => {
    const parse = parser(schema);
    const { success, data, error } = schema.safeParse(value);
    for (let count = 0; count < 10; count++) {
      const parsed = parse(value);
      expect(parsed.success).toBe(success);
      expect(parsed.data).toEqual(data);
      expect(parsed.error?.issues).toEqual(error?.issues);
    }
  },
);
