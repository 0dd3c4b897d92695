import { transformSync } from 'esbuild';
import type { MarkdownRenderer } from 'vitepress';

/** Puts beside each block that exports a definition of an API what a page needs to open it: see `theme/run-buttons.ts`. */
export function withDefinitions(markdown: MarkdownRenderer): void {
  const fence = markdown.renderer.rules.fence!;
  markdown.renderer.rules.fence = (tokens, at, options, env, self) => {
    const { content = '', info = '' } = tokens[at] ?? {};
    const block = fence(tokens, at, options, env, self);
    if (
      !/^ts\b/.test(info) ||
      !/from 'backlot\/define'/.test(content) ||
      !/^export default /m.test(content)
    )
      return block;
    return `<div class="definition" data-code="${markdown.utils.escapeHtml(scriptOf(content))}">${block}</div>`;
  };
}

/** Returns the body of an asynchronous function of `define`, the exports of `backlot/define`, that returns the definition. */
function scriptOf(definition: string): string {
  const { code } = transformSync(definition, {
    loader: 'ts',
    target: 'es2022',
    legalComments: 'none',
  });
  return code
    .replaceAll(
      /^import \{([^}]*)\} from "backlot\/define";$/gm,
      (_, names: string) => `const {${names.replaceAll(' as ', ': ')}} = define;`,
    )
    .replace(/^export default /m, 'return ');
}
