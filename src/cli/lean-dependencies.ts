import module from 'node:module';

/**
 * Of some dependencies the whole is loaded where a part is used, and a start waits for it: `@msw/data`
 * wants three functions of es-toolkit/compat and loads all of its files, and zod brings its messages in every language. What is asked of them is loaded alone.
 */
const partOf: Readonly<Record<string, (locate: (specifier: string) => string) => string>> = {
  'es-toolkit/compat': (locate) =>
    ['get', 'set', 'unset']
      .map((name) => [name, locate(`es-toolkit/compat/${name}`)])
      .map(([name, url]) => `export { default as ${name} } from ${JSON.stringify(url)};`)
      .join(''),
  '../locales/index.js': () => '',
};

const messageEvent = new URL('message-event.ts', import.meta.url).href;

// Not in Node before 22.15, where everything is loaded and nothing else differs.
module.registerHooks?.({
  resolve(specifier, context, next) {
    const part = partOf[specifier];
    if (part === undefined) return next(specifier, context);
    const source = part((name) => next(name, context).url);
    return {
      url: `data:text/javascript,${encodeURIComponent(source)}`,
      format: 'module',
      shortCircuit: true,
    };
  },
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/rettime/build/index.mjs')) return loaded;
    const first = `import { MessageEvent } from ${JSON.stringify(messageEvent)};`;
    return { ...loaded, source: `${first}${textOf(loaded.source)}` };
  },
});

function textOf(source: module.LoadFnOutput['source']): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source);
}
