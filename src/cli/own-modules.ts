/** The modules of the package that a definition imports, in place of those that are installed beside it. */
export const ownModules: Readonly<Record<string, string>> = {
  'backlot/define': new URL('../define.ts', import.meta.url).href,
};
