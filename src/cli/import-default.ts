import { statSync } from 'node:fs';
import nodeModule, { type ResolveHookSync } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { once } from '../engine/lib/memoized.ts';
import { Problem } from '../engine/lib/problem.ts';
import { valueAt } from '../engine/lib/json-value.ts';
import { withPage } from '../engine/lib/error-page.ts';
import { packageModules } from './package-modules.ts';

/** The expected default export of a module. */
interface Exported {
  /** The name of its files, in the plural: `scenarios`. */
  readonly plural: string;
  /** The default export in words: `a scenario`, with an example. */
  readonly what: string;
  readonly example: string;
}

/**
 * Imports the default export of a file again, with all files that it imports, apart from packages.
 *
 * @param onRead receives the path of each of these files before it is read
 * @throws as `importDefault`
 */
export function importAgain(
  file: string,
  exported: Exported,
  onRead: (file: string) => void = () => undefined,
): Promise<unknown> {
  const version = `${readers.size + 1}`;
  readers.set(version, onRead);
  return importDefault(file, exported, version);
}

/**
 * Imports the default export of a file, as the file is now: an import without a query would stay the first one.
 *
 * @param version differs if the file is to be imported again (default: when it was changed)
 * @throws Problem `invalid` if the file cannot be imported, or exports no default
 */
export async function importDefault(
  file: string,
  { plural, what, example }: Exported,
  version = String(statSync(file).mtimeMs),
): Promise<unknown> {
  hook();
  const url = pathToFileURL(file);
  url.searchParams.set(versionKey, version);
  let found: unknown;
  try {
    found = valueAt(await import(url.href), ['default']);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('invalid', `Cannot read ${file}: ${importIssue(error, plural)}`);
  }
  if (found !== undefined) return found;
  throw new Problem('invalid', `${file} must export ${what} as its default: ${example}`);
}

// Earlier versions do not have it.
const { registerHooks }: Partial<typeof nodeModule> = nodeModule;

/** Whether files can import the modules of this program. Node.js without it reads no TypeScript, either. */
export const canHook = registerHooks !== undefined;

/** Has Node.js call `resolve` from now on. */
const hook = once(() => registerHooks?.({ resolve }) ?? {});

/** Receivers of the files of each import, by its version. */
const readers = new Map<string, (file: string) => void>();

/**
 * Has files import the modules of this program: their own copies of the package would have classes and schemas of their own,
 * which those of this program are not instances of. TypeScript is modules, as bundlers have it, whatever `type` is in
 * `package.json`: `npm init` writes `commonjs`.
 */
const resolve: ResolveHookSync = (specifier, context, next) => {
  const own = packageModules[specifier];
  if (own !== undefined) return { url: own, shortCircuit: true };
  const found = next(specifier, context);
  if (!/^file:(?!.*\/node_modules\/)/.test(found.url)) return found;
  const url = new URL(found.url);
  const version = new URL(context.parentURL ?? 'node:').searchParams.get(versionKey) ?? '';
  const onRead = readers.get(version);
  onRead?.(fileURLToPath(found.url));
  // Its modules are imported with it, each time.
  if (onRead !== undefined) url.searchParams.set(versionKey, version);
  const isTypeScript = process.features.typescript !== false && url.pathname.endsWith('.ts');
  return { ...found, url: url.href, ...(isTypeScript && { format: 'module-typescript' }) };
};

function importIssue(error: unknown, plural: string): string {
  if (!(error instanceof Error)) return String(error);
  const isUnknown = 'code' in error && error.code === 'ERR_UNKNOWN_FILE_EXTENSION';
  if (!isUnknown) return `${error.message}${errorPlace(error)}`;
  return withPage(
    'old-node',
    `${plural} in TypeScript require Node.js 22.18 or later, and this is ${process.version}. Update Node.js, or write it in JavaScript.`,
  );
}

/** The parameter of the URLs of modules that are imported again when they change. */
const versionKey = 'at';

/** Returns where a module has an error, if that is known: ` (backlot.config.ts:3)`. */
export function errorPlace({ stack = '' }: Error): string {
  // V8 puts the place of a syntax error in front of the trace.
  const [, before, beforeLine] = /^(.+):(\d+)\n/.exec(stack) ?? [];
  const [, url, line] = /(?<![^\s(])(file:\/\/[^\s()?]*)\?at=[^\s():]*:(\d+):\d+/.exec(stack) ?? [];
  const found = before ?? url;
  if (found === undefined) return '';
  const [plain = ''] = found.split('?');
  const file = plain.startsWith('file:') ? fileURLToPath(plain) : plain;
  const relative = path.relative('.', file);
  return ` (${relative.startsWith('..') ? file : relative}:${beforeLine ?? line})`;
}
