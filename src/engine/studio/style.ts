// The build replaces this module with one that contains the text.

/** The style sheet of the studio, for a panel in another page. */
export function panelStyle(): string {
  return process
    .getBuiltinModule('node:fs')
    .readFileSync(new URL('studio.css', import.meta.url), 'utf8');
}
