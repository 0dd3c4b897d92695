/**
 * Leaves out of the libraries, in the bundle for browsers, what no request reaches and no bundler can know to be unused:
 * see `.github/decisions/0010-lean-browser.md`. The build fails if a library no longer has a text that is edited here.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { root } from './bundle-parts.ts';
import { typedContract } from '../src/shop/resources/index.ts';

interface Edit {
  /** Matches the path of the file. */
  readonly file: RegExp;
  /** The texts to find, each once, or at least once if the expression is global, and what replaces them. */
  readonly replacements: ReadonlyArray<readonly [found: string | RegExp, replacement: string]>;
  /** What to add at the end. */
  readonly end?: string;
}

const inZod = join(root, 'node_modules/zod/v4');
/** Each by its name: bundlers keep all of a namespace that is used as a value. */
const processors = Array.from(
  readFileSync(join(inZod, 'core/json-schema-processors.js'), 'utf8').matchAll(
    /^export (?:const|function) (aggregateChecks|\w+Processor)\b/gm,
  ),
  ([, name]) => name,
).join(', ');

/** Kinds of schemas that no schema of a page has. */
const kinds = ['exactOptional', 'nonoptional', 'intersection', 'prefault', '_catch'];

/** Functions that methods of schemas call, by module: checks that no schema of a page has, and what no request needs. */
const functions = {
  checks:
    'includes startsWith endsWith lowercase uppercase trim normalize toLowerCase toUpperCase slugify multipleOf overwrite',
  parse:
    'parseAsync safeParseAsync validate validateAsync encode decode encodeAsync decodeAsync safeEncode safeDecode safeEncodeAsync safeDecodeAsync',
  util: 'safeExtend merge required',
};
const moved = Object.entries(functions).map(
  ([module, names]) => [module, names.split(' ')] as const,
);

/**
 * JSON Schema, the formats of texts (`email`, `uuid` and 24 others), `kinds` and `functions` are referred to by each schema.
 * `completeSchemas` adds them, and only schemas of `backlot/contract` call it, since no other entry point exports schemas.
 */
const zod: Edit = {
  file: /\/zod\/v4\/classic\/schemas\.js$/,
  replacements: [
    // esbuild keeps all of a namespace that another module exports.
    ['import { util } from "../core/index.js";', 'import * as util from "../core/util.js";'],
    ['core.util.constantCatch', 'util.constantCatch'],
    ['util.partial(ZodExactOptional,', 'util.partial(completed().kinds.ZodExactOptional,'],
    ['this.check(superRefine(', 'this.check(completed().kinds.superRefine('],
    ['required(ZodNonOptional,', 'required(completed().kinds.ZodNonOptional,'],
    ['pipe(this, transform(tx))', 'completed().kinds.pipe(this, completed().kinds.transform(tx))'],
    ['return pipe(this, target);', 'return completed().kinds.pipe(this, target);'],
    // For cyclic values of recursive schemas, of which there are none here. zod/mini does without it, too.
    ['core.config({ memoizer: core.memoizer() });', 'return;'],
    // It compiles each schema to a function, which a page with a few requests does not use often enough.
    ['core.$ZodObjectJIT.init(inst, def);', 'core.$ZodObject.init(inst, def);'],
    ['import * as processors from "../core/json-schema-processors.js";', ''],
    [/import \{ createStandardJSONSchemaMethod, createToJSONSchemaMethod \} from .*/, ''],
    ...kinds.map((kind): Edit['replacements'][number] => [
      new RegExp(`(?<=^ {8}return )${kind}(?=\\(this\\b)`, 'm'),
      `completed().kinds.${kind}`,
    ]),
    ...moved.flatMap(([module, names]) =>
      names.map((name): Edit['replacements'][number] => [
        new RegExp(String.raw`(?<![\w.])${module}\.${name}\(`, 'g'),
        `completed().${module}.${name}(`,
      ]),
    ),
    [
      '    _ZodString.init(inst, def);\n}, {\n    email(params) {',
      '    _ZodString.init(inst, def);\n});\nconst formats = () => ({\n    email(params) {',
    ],
  ],
  end: `
    let complete;
    const completed = () => {
      if (complete !== undefined) return complete;
      throw new Error("This part of zod is not loaded: use a schema of backlot/contract first");
    };
    const processors = /* @__PURE__ */ new Proxy({}, {
      get: (_, name) => completed().processors[name],
    });
    const createStandardJSONSchemaMethod = (...schema) => (...params) =>
      completed().createStandardJSONSchemaMethod(...schema)(...params);
    const createToJSONSchemaMethod = (...schema) => (...params) =>
      completed().createToJSONSchemaMethod(...schema)(...params);
    export function completeSchemas(loaded) {
      complete = {
        ...loaded,
        kinds: { ${kinds.join(', ')}, pipe, transform, superRefine, ZodExactOptional, ZodNonOptional },
        ${moved.map(([module, names]) => `${module}: { ${names.map((name) => `${name}: ${module}.${name}`).join(', ')} }`).join(', ')},
      };
      util.members(ZodString.prototype, formats());
    }
  `,
};

/** Its names for formats of texts and steps of numbers, of which no schema has any. */
const messages: Edit = {
  file: /\/zod\/v4\/locales\/en\.js$/,
  replacements: [
    [/const FormatDictionary = \{(?:.|\n)*?\};\n/, ''],
    ['FormatDictionary[_issue.format] ?? issue.format', 'issue.format'],
    [/ {12}case "not_multiple_of":\n.*\n/, ''],
    [/ {8}file: .*\n/, ''],
    [/ {8}set: .*\n {8}map: .*\n/, ''],
  ],
};

/** Two ways to arrange its issues, which `completeSchemas` adds, too. */
const issues: Edit = {
  file: /\/zod\/v4\/classic\/errors\.js$/,
  replacements: ['formatError', 'flattenError'].map((name) => [
    `core.${name}(`,
    `arranged.${name}(`,
  ]),
  end: 'export const arranged = {};',
};

/** Two of its functions are created by calls, which a bundler keeps. */
const jsonSchema: Edit = {
  file: /\/zod\/v4\/core\/json-schema-processors\.js$/,
  replacements: ['NUMBER', 'BIGINT'].map((kind) => [
    `formatContributor(${kind}_FORMAT_RANGES)`,
    `/* @__PURE__ */ formatContributor(${kind}_FORMAT_RANGES)`,
  ]),
};

const contractFile = /\/src\/contract\.ts$/;
const contractSource = readFileSync(join(root, 'src/contract.ts'), 'utf8');

/** The exports of the contract that are schemas: `export { AddressView } from './shop/resources/address.ts';` */
const exportedSchemas = Array.from(
  contractSource.matchAll(/^export \{ ((?:\w*View|Settings)\b.*) \} from '(.+)';$/gm),
  ([line, names = '', path]) => ({
    line,
    path,
    names: names.split(', ').filter((name) => !name.startsWith('type ')),
  }),
);

/** What `withoutDescriptions` leaves out of each row of the contract. */
const rowTexts = typedContract.map(({ summary, errors, example }) => ({
  summary,
  errors,
  example,
}));

/**
 * A schema that is used completes all schemas, and the contract has the texts of its rows again. The module itself has no side effects, so a bundler leaves out
 * what a page does not use, such as all schemas beside `pathOf`.
 */
const contract: Edit = {
  file: contractFile,
  replacements: [
    ...exportedSchemas.map(({ line, names, path }): Edit['replacements'][number] => [
      line,
      names
        .map(
          (name) =>
            `import { ${name} as bare${name} } from '${path}';\nexport const ${name} = /* @__PURE__ */ complete(bare${name});`,
        )
        .join('\n'),
    ]),
    [' = typedContract;', ' = /* @__PURE__ */ complete(/* @__PURE__ */ withTexts());'],
  ],
  end: `
    import { completeSchemas } from '${inZod}/classic/schemas.js';
    import { arranged } from '${inZod}/classic/errors.js';
    import { flattenError, formatError } from '${inZod}/core/errors.js';
    import { createStandardJSONSchemaMethod, createToJSONSchemaMethod } from '${inZod}/core/to-json-schema.js';
    import { ${processors} } from '${inZod}/core/json-schema-processors.js';
    function withTexts() {
      const texts = JSON.parse(${JSON.stringify(JSON.stringify(rowTexts))});
      return typedContract.map((row, at) => ({ ...row, ...texts[at] }));
    }
    var isComplete;
    function complete(schema) {
      if (isComplete !== undefined) return schema;
      isComplete = true;
      Object.assign(arranged, { flattenError, formatError });
      completeSchemas({
        createStandardJSONSchemaMethod,
        createToJSONSchemaMethod,
        processors: { ${processors} },
      });
      return schema;
    }
  `,
};

const ofZod = [zod, messages, issues, jsonSchema, contract];

/** The parser of query strings: `nestBrackets` passes names and values that are parsed, and the options of their types. */
const qs: Edit = {
  file: /\/qs-esm\/lib\/parse\.js$/,
  replacements: [
    ['const options = normalizeParseOptions(opts)', 'const options = { ...defaults, ...opts }'],
    ["typeof str === 'string' ? parseValues(str, options) : str", 'str'],
    ['  decoder: utils.decode,\n', ''],
  ],
};

/** A table that only its `encode` uses. */
const qsUtilities: Edit = {
  file: /\/qs-esm\/lib\/utils\.js$/,
  replacements: [['const hexTable = (function', 'const hexTable = /* @__PURE__ */ (function']],
};

/** The storage of a collection and its relations: `TableCollection` overrides both, so that its own records are none. */
const collection: Edit = {
  file: /\/@msw\/data\/build\/collection-\w+\.mjs$/,
  replacements: [
    ['import { get, set, unset } from "es-toolkit/compat";\n', ''],
    ['import { apply, create } from "mutative";\n', ''],
    ...['async create', 'async createMany', 'clear', 'defineRelations', '#sanitizeInitialValues']
      .concat('#buildDraftInput', 'count', 'all', '#indexOf')
      .map((name): Edit['replacements'][number] => [method(name), '\n']),
    ...['async #produceRecord', '#replaceRecord', '#deleteRecord'].map(
      (name): Edit['replacements'][number] => [
        method(name),
        `\n\t${name.replace('async ', '')}() { throw new Error("not reached"); }\n`,
      ],
    ),
    [/\nfunction sortResults\((?:.|\n)*?\n\}\n/, '\nfunction sortResults() {}\n'],
  ],
};

/** The emitter of a collection: nothing awaits its listeners or asks them one by one, since `create` is overridden. */
const emitter: Edit = {
  file: /\/rettime\/build\/index\.mjs$/,
  replacements: ['async emitAsPromise', String.raw`\*emitAsGenerator`].map((name) => [
    method(name),
    '\n',
  ]),
};

/** Matches a method of a class that the formatter of @msw/data has indented. */
function method(name: string): RegExp {
  return new RegExp(String.raw`\n\t${name}\((?:.|\n)*?\n\t\}\n`);
}

/** The distance of texts without the parts that only pay for many long ones: see the Wagner–Fischer algorithm. */
const levenshtein: Edit = {
  file: /\/fastest-levenshtein\/esm\/mod\.js$/,
  replacements: [[/^[^]+$/, '']],
  end: `
    export function distance(one, other) {
      const row = Array.from({ length: other.length + 1 }, (_, at) => at);
      for (let i = 1; i <= one.length; i++) {
        let diagonal = row[0];
        row[0] = i;
        for (let j = 1; j <= other.length; j++) {
          const above = row[j];
          row[j] = one[i - 1] === other[j - 1] ? diagonal : 1 + Math.min(diagonal, above, row[j - 1]);
          diagonal = above;
        }
      }
      return row[other.length];
    }
  `,
};

export const leanLibraries: Plugin = {
  name: 'lean libraries',
  setup({ onLoad, onEnd }) {
    const missing = new Set([...ofZod, qs, qsUtilities, collection, emitter, levenshtein]);
    for (const edit of missing) {
      onLoad({ filter: edit.file }, ({ path }) => {
        missing.delete(edit);
        return { contents: edited(path, edit), loader: path.endsWith('.ts') ? 'ts' : 'js' };
      });
    }
    onEnd(() => ({
      errors: Array.from(missing, ({ file }) => ({ text: `${file} is not part of the bundle` })),
    }));
  },
};

function edited(path: string, { replacements, end = '' }: Edit): string {
  let source = readFileSync(path, 'utf8');
  for (const [found, replacement] of replacements) {
    const count = source.split(found).length - 1;
    const isEach = found instanceof RegExp && found.global;
    if (isEach ? count === 0 : count !== 1) throw new Error(`${path} must have ${found} once`);
    source = source.replace(found, () => replacement);
  }
  return `${source}\n${end}`;
}
