import { readFileSync } from 'node:fs';

const mockCall =
  /\b(?:vi|jest)\s*\.\s*(?:mock|doMock|unstable_mockModule)\(\s*(?:import\(\s*)?(['"`])(.+?)\1/g;

/** Returns the names of the modules that files of tests mock: `vi.mock('./api.js')`. */
export function mockedModules(files: readonly string[]): Map<string, readonly string[]> {
  return new Map(
    Array.from(new Set(files), (file) => {
      const calls = readFileSync(file, 'utf8').matchAll(mockCall);
      return [file, [...new Set(Array.from(calls, ([, , name = '']) => name))]];
    }),
  );
}
