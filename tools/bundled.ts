/** Packages that bundles contain, so that users need not install them. */
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
