import { bannerScript, dashboardScript, pageStyle } from '../src/dashboard/assets.ts';

/** The source of the module that replaces `src/dashboard/assets.ts` in bundles: the bundled scripts and the style sheet. */
export function assetsModule(): string {
  return [
    `const script = ${JSON.stringify(dashboardScript())};`,
    `const banner = ${JSON.stringify(bannerScript())};`,
    `const style = ${JSON.stringify(pageStyle())};`,
    'export const dashboardScript = () => script;',
    'export const bannerScript = () => banner;',
    'export const pageStyle = () => style;',
    '',
  ].join('\n');
}
