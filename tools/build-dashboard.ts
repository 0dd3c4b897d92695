import {
  bannerScript,
  fontStyle,
  pageStyle,
  studioStyle,
  traceScript,
} from '../src/engine/dashboard/assets.ts';
import { studioScripts } from '../src/shop/studio-scripts.ts';

/** The source of the module that replaces `src/shop/studio-scripts.ts` in bundles. */
export function studioModule(): string {
  return `const scripts = ${JSON.stringify(studioScripts())};\nexport const studioScripts = () => scripts;\n`;
}

/** The source of the module that replaces `src/engine/studio/style.ts` in bundles. */
export function panelStyleModule(): string {
  return `const style = ${JSON.stringify(studioStyle())};\nexport const panelStyle = () => style;\n`;
}

/** Files of the packages that the scripts and style sheets of the studio contain, for their licences. */
export const studioInputs: readonly string[] = [
  'inter-ui',
  'preact',
  '@preact/signals',
  '@preact/signals-core',
].map((name) => `node_modules/${name}/package.json`);

/** The source of the module that replaces `src/engine/dashboard/assets.ts` in bundles: the other scripts, and the style sheets. */
export function assetsModule(): string {
  return [
    `const studioCss = ${JSON.stringify(studioStyle())};`,
    `const banner = ${JSON.stringify(bannerScript())};`,
    `const font = ${JSON.stringify(fontStyle())};`,
    `const trace = ${JSON.stringify(traceScript())};`,
    `const style = ${JSON.stringify(pageStyle())};`,
    'export const studioStyle = () => studioCss;',
    'export const bannerScript = () => banner;',
    'export const fontStyle = () => font;',
    'export const traceScript = () => trace;',
    'export const pageStyle = () => style;',
    '',
  ].join('\n');
}
