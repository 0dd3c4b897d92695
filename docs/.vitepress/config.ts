import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { withScripts } from './blocks.ts';
import { writeTexts } from './llms.ts';

const repository = 'https://github.com/backlot-dev/backlot';
const isBuilt = process.argv.includes('build');
const site = 'https://backlot-dev.github.io/backlot/';
/** The path of the site on its host. */
const base = isBuilt ? (process.env['SITE_BASE'] ?? new URL(site).pathname) : '/';
const docs = join(import.meta.dirname, '..');
const built = join(docs, '../dist');

/** The pages, in the order in which a newcomer needs them. */
const pages = {
  Start: {
    why: 'Why, and for whom',
    'five-minutes': 'Five minutes',
    tools: 'Your tool, these lines',
    studio: 'The studio',
    trace: 'Traces',
  },
  'Where it runs': {
    'in-tests': 'In tests',
    'in-a-page': 'In a page',
    'as-a-server': 'As a server',
    demos: 'Demos and access',
    stores: 'Stores',
    storybook: 'Storybook',
  },
  'Make it yours': {
    scenarios: 'Scenarios',
    faults: 'Faults',
    'your-shop': 'Your shop',
    'control-api': 'Control API',
    explain: 'Explanations',
    agents: 'For agents and QA',
    authentication: 'Authentication',
    'client-types': 'Client types',
  },
  'Ask your tests': {
    mocks: 'Whether mocks lie',
    mutate: 'What tests do not notice',
    chaos: 'What pages do not survive',
    'pull-requests': 'In a pull request',
  },
  'Hold it against the real one': {
    validate: 'What you may validate',
    drift: 'Drift',
    recordings: 'Recordings',
    proxy: 'Proxy',
    coverage: 'Contract coverage',
    workflows: 'Workflows',
  },
  Reference: {
    reference: 'Reference',
    commands: 'Command line',
    errors: 'Errors',
    decisions: 'Settings and decisions',
    'state-machines': 'State machines',
    packages: 'Packages',
    architecture: 'Architecture',
    changelog: 'Changelog',
  },
};

function worker(name: string, paths: readonly string[]): string {
  return `
const name = ${JSON.stringify(name)};
addEventListener('install', (event) => {
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(${JSON.stringify(paths)})));
  skipWaiting();
});
addEventListener('activate', (event) => {
  const old = (key) => key.startsWith('backlot-site-') && key !== name;
  event.waitUntil(caches.keys().then((keys) => Promise.all(keys.filter(old).map((key) => caches.delete(key)))));
});
addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method !== 'GET' || !url.startsWith(location.origin)) return;
  const find = async () => (await caches.match(url, { ignoreSearch: true })) ?? (await caches.match(\`\${url}.html\`));
  event.respondWith(fetch(event.request).catch(async () => (await find()) ?? Response.error()));
});
`;
}

/** A page has a switch for its colours, so that those that the system prefers do not decide which picture it shows. */
function inBothModes(html: string): string {
  return html.replace(
    /<picture><source media="\(prefers-color-scheme: dark\)" srcset="(.*?)"><img src="(.*?)" alt="(.*?)"><\/picture>/g,
    (_, dark: string, light: string, text: string) =>
      `<img class="in-light" src="${light}" alt="${text}" loading="lazy"><img class="in-dark" src="${dark}" alt="${text}" loading="lazy">`,
  );
}

export default defineConfig({
  title: 'Backlot',
  description: 'An in-memory mock of a store back office that runs in a page, a test or a server',
  base,
  cacheDir: 'node_modules/.cache/vitepress',
  // Its files are for agents.
  srcExclude: ['skill/**'],
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}logo.svg` }]],
  /** A worker that keeps all files, so that the site works offline after it was visited. */
  buildEnd({ outDir }) {
    writeTexts(docs, outDir, pages, site);
    const files = globSync('**/*.{html,js,css,woff2,svg,png,json}', { cwd: outDir }).toSorted();
    const paths = files.map(
      (file) => `./${file.replaceAll('\\', '/').replace(/^index\.html$/, '')}`,
    );
    const version = createHash('sha256');
    for (const file of files) version.update(readFileSync(join(outDir, file)));
    const name = `backlot-site-${version.digest('hex').slice(0, 12)}`;
    writeFileSync(join(outDir, 'worker.js'), worker(name, paths));
  },
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Try it', link: '/' },
      { text: 'Five minutes', link: '/five-minutes' },
      { text: 'Docs', link: '/tools' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: Object.entries(pages).map(([text, items]) => ({
      text,
      items: Object.entries(items).map(([link, title]) => ({ text: title, link: `/${link}` })),
    })),
    socialLinks: [{ icon: 'github', link: repository }],
    search: { provider: 'local', options: { detailedView: true } },
    outline: [2, 3],
  },
  markdown: {
    // Other themes have colours with less than 4.5 to 1 on the background of code.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { haproxy: 'ini' },
    config(markdown) {
      withScripts(markdown);
      markdown.core.ruler.before('normalize', 'pictures', (state) => {
        state.src = inBothModes(state.src);
      });
      // Files beside the documents are in the repository, from which the changelog comes.
      const open = markdown.renderer.rules.link_open!;
      markdown.renderer.rules.link_open = (tokens, at, options, env, self) => {
        const href = tokens[at]?.attrGet('href') ?? '';
        if (href.startsWith('../'))
          tokens[at]?.attrSet('href', `${repository}/blob/main/${href.slice('../'.length)}`);
        else if (href.startsWith('docs/')) tokens[at]?.attrSet('href', href.slice('docs/'.length));
        // These are written when the site is built.
        else if (href.startsWith(site)) tokens[at]?.attrSet('href', `./${href.slice(site.length)}`);
        else if (href === 'examples')
          tokens[at]?.attrSet('href', `${repository}/tree/main/examples`);
        return open(tokens, at, options, env, self);
      };
    },
  },
  vite: {
    resolve: {
      alias: [
        { find: /^backlot$/, replacement: join(built, 'page.js') },
        { find: /^backlot\/fetch$/, replacement: join(built, 'fetch-handler.js') },
        { find: /^msw\/node$/, replacement: join(docs, '.vitepress/theme/no-msw.ts') },
        { find: /^backlot\/(\w+)$/, replacement: join(built, '$1.js') },
      ],
    },
    build: { target: 'es2022', chunkSizeWarningLimit: 1000 },
    plugins: [
      {
        name: 'the built package',
        buildStart() {
          if (!existsSync(built))
            throw new Error('The site shows the built package: npm run build.');
        },
      },
    ],
  },
});
