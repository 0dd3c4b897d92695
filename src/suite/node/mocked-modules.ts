import { readFileSync } from 'node:fs';
import type { TestRuns } from '../suite-runner.ts';

const mockCall =
  /\b(?:vi|jest)\s*\.\s*(?:mock|doMock|unstable_mockModule)\(\s*(?:import\(\s*)?(['"`])(.+?)\1/g;

/** A property of an object: `new Client({ fetch })`. */
const fetchProperty = /[{,]\s*fetch\s*[:,}](?!\s*from)/;

/** Returns what files of tests mock: modules, as by `vi.mock('./api.js')`, and the `fetch` of a client. */
export function mocksIn(
  files: readonly string[],
): Map<string, Required<Pick<TestRuns, 'mocks' | 'hasOwnFetch'>>> {
  return new Map(
    Array.from(new Set(files), (file) => {
      const source = readFileSync(file, 'utf8');
      const modules = Array.from(source.matchAll(mockCall), ([, , name = '']) => name);
      const adapted = /\baxios-mock-adapter\b/.test(source) ? ['axios'] : [];
      const mocks = [...new Set([...modules, ...adapted])];
      return [file, { mocks, hasOwnFetch: fetchProperty.test(source) }];
    }),
  );
}
