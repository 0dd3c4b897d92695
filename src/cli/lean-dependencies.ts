import module from 'node:module';

/**
 * Replacements for modules that load far more than is used, which delays the start. `@msw/data` uses three functions of
 * es-toolkit/compat but loads all of its files. zod loads its messages in every language.
 */
const replacements: Readonly<Record<string, (locate: (specifier: string) => string) => string>> = {
  'es-toolkit/compat': (locate) =>
    ['get', 'set', 'unset']
      .map((name) => [name, locate(`es-toolkit/compat/${name}`)])
      .map(([name, url]) => `export { default as ${name} } from ${JSON.stringify(url)};`)
      .join(''),
  '../locales/index.js': () => '',
};

const messageEvent = new URL('message-event.ts', import.meta.url).href;

// Node.js before 22.15 has no registerHooks: there, all modules are loaded, and nothing else differs.
module.registerHooks?.({
  resolve(specifier, context, next) {
    const replacement = replacements[specifier];
    if (replacement === undefined) return next(specifier, context);
    const source = replacement((name) => next(name, context).url);
    return {
      url: `data:text/javascript,${encodeURIComponent(source)}`,
      format: 'module',
      shortCircuit: true,
    };
  },
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/rettime/build/index.mjs')) return loaded;
    const statement = `import { MessageEvent } from ${JSON.stringify(messageEvent)};`;
    return { ...loaded, source: `${statement}${textOf(loaded.source)}` };
  },
});

function textOf(source: module.LoadFnOutput['source']): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source);
}
