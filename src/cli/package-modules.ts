/** The modules of the package that a definition imports, in place of those that are installed next to it. */
export const packageModules: Readonly<Record<string, string>> = {
  'backlot/define': import.meta.url.endsWith('.ts')
    ? new URL('../define.ts', import.meta.url).href
    : import.meta.resolve('backlot/define'),
};
