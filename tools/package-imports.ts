import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Size } from './package-sizes.ts';
import type { Run } from './run.ts';

/**
 * Counts the modules of the installed package that its users load before their first response.
 *
 * @param user the folder of a project that has the package installed
 * @throws Error if these contain a language of zod beside English
 */
export async function loadedModules(user: string, run: Run): Promise<Size[]> {
  return Promise.all(
    Object.entries(uses).map(async ([entry, source]) => {
      const script = `${watch} ${source} console.log(JSON.stringify([...loaded]));`;
      const printed = await run('node', ['--input-type=module', '--eval', script], user);
      const files = JSON.parse(printed) as readonly string[];
      const texts = files.map((path) => readFileSync(join(user, path), 'utf8'));
      const languages = texts.flatMap((text) => [...text.matchAll(language)].map(([, one]) => one));
      if (languages.join(' ') !== 'en')
        throw new Error(`${entry} loads the languages "${languages.join(' ')}" of zod, not "en"`);
      const what = `modules that ${entry} loads before its first response`;
      return { what, value: files.length, limit: 25, parts: `They are ${files.join(', ')}.` };
    }),
  );
}

/** What the bundler writes above a module. */
const language = /^\/\/ node_modules\/zod\/v4\/locales\/(\w+)\.js$/gm;

const watch = `
  import { registerHooks } from 'node:module';
  import { relative } from 'node:path';
  import { fileURLToPath } from 'node:url';
  const loaded = new Set();
  const load = (url, context, next) => {
    if (/\\/backlot\\/dist\\/.*\\.js$/.test(url)) loaded.add(relative('', fileURLToPath(url)));
    return next(url, context);
  };
  registerHooks({ load });
`;

const uses = {
  backlot: `
    const { createBackOffice } = await import('backlot');
    await (await createBackOffice().fetch('/api/orders/1')).json();
  `,
  'backlot/node': `
    const { createBackOffice } = await import('backlot/node');
    const office = createBackOffice({ history: true });
    office.listen({ clients: 'fetch' });
    await (await fetch('http://shop.test/api/orders/1')).json();
    office.close();
  `,
};
