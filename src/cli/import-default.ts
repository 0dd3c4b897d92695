import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Problem } from '../lib/problem.ts';

/** What a module is to export. */
interface Exported {
  /** What its files are called, in the plural: `scenarios`. */
  readonly plural: string;
  /** What its default export is: `a scenario`, with an example. */
  readonly what: string;
  readonly example: string;
}

/**
 * Imports the default export of a file, as the file is now: an import without a query would stay the first one.
 *
 * @throws Problem `invalid` if the file cannot be imported, or exports no default
 */
export async function importDefault(
  file: string,
  { plural, what, example }: Exported,
): Promise<unknown> {
  const url = pathToFileURL(file);
  url.searchParams.set('at', String(statSync(file).mtimeMs));
  let module: { readonly default?: unknown };
  try {
    module = (await import(url.href)) as typeof module;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('invalid', `Cannot read ${file}: ${importIssue(error, plural)}`);
  }
  if (module.default !== undefined) return module.default;
  throw new Problem('invalid', `${file} must export ${what} as its default: ${example}`);
}

function importIssue(error: unknown, plural: string): string {
  if (!(error instanceof Error)) return String(error);
  const isUnknown = 'code' in error && error.code === 'ERR_UNKNOWN_FILE_EXTENSION';
  if (!isUnknown) return error.message;
  return `${plural} in TypeScript require Node.js 22.18 or later, and this is ${process.version}. Update Node.js, or write it in JavaScript.`;
}
