import {
  bannerScript,
  fontStyle,
  pageStyle,
  studioStyle,
  traceScript,
} from '../src/engine/dashboard/assets.ts';
import { studioScripts } from '../src/shop/studio-scripts.ts';

/** The modules whose texts only Node.js can read and bundle, by the ends of their paths. */
const modules: Readonly<Record<string, () => string>> = {
  '/src/engine/dashboard/assets.ts': () =>
    Object.entries({ bannerScript, fontStyle, pageStyle, studioStyle, traceScript })
      .map(([name, text]) => `export const ${name} = () => ${lines(text())};\n`)
      .join(''),
  '/src/engine/studio/style.ts': () => `export const panelStyle = () => ${lines(studioStyle())};\n`,
  '/src/shop/studio-scripts.ts': () => {
    const { script, rooms } = studioScripts();
    const texts = Object.entries(rooms).map(
      ([name, text]) => `${JSON.stringify(name)}: ${lines(text)}`,
    );
    return `export const studioScripts = () => ({ script: ${lines(script)}, rooms: { ${texts.join(',\n')} } });\n`;
  },
};

/** The longest line of a file of the package, so that tools show its changes. */
const maxLine = 2000;

function lines(text: string): string {
  const count = Math.ceil(text.length / maxLine);
  const parts = Array.from({ length: count }, (_, at) =>
    text.slice(at * maxLine, (at + 1) * maxLine),
  );
  return `[\n${parts.map((part) => JSON.stringify(part)).join(',\n')},\n].join('')`;
}

export function isStudioFile(id: string): boolean {
  return Object.keys(modules).some((end) => id.endsWith(end));
}

/** Replaces these modules by their texts: for the package, and for tests in pages. */
export function studioFiles() {
  return {
    name: 'studio files',
    load(id: string): string | undefined {
      return Object.entries(modules).find(([end]) => id.endsWith(end))?.[1]();
    },
  };
}
