/**
 * Packages that bundles contain, so that users need not install them. Two are dependencies nevertheless, because the
 * declarations of the library name their types: zod and @msw/data.
 */
export const bundled: readonly string[] = [
  '@msw/data',
  '@preact/signals',
  'commander',
  'fastest-levenshtein',
  'idb-keyval',
  'mutative',
  'preact',
  'proxy-addr',
  'qs-esm',
  'rettime',
  'zod',
];
