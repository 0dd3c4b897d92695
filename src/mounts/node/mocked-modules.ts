import { readFileSync } from 'node:fs';

const mockCall =
  /\b(?:vi|jest)\s*\.\s*(?:mock|doMock|unstable_mockModule)\(\s*(?:import\(\s*)?(['"`])(.+?)\1/g;

/** Returns the names of the modules that files of tests mock: `vi.mock('./api.js')`. */
export function mockedModules(files: readonly string[]): Map<string, readonly string[]> {
  return new Map(
    Array.from(new Set(files), (file) => {
      const source = readFileSync(file, 'utf8');
      const modules = Array.from(source.matchAll(mockCall), ([, , name = '']) => name);
      const adapted = /\baxios-mock-adapter\b/.test(source) ? ['axios'] : [];
      return [file, [...new Set([...modules, ...adapted])]];
    }),
  );
}
