import { tabStorage } from './tab-storage.ts';

const key = 'backlot-theme';

/** The themes by their names: the colour schemes of the style sheet. */
export const themes = { light: 'light', dark: 'dark', 'of the system': '' } as const;

/** Shows a studio in another theme. The tab keeps it. */
export function setTheme(root: Document | ShadowRoot, name: keyof typeof themes): void {
  tabStorage()?.setItem(key, themes[name]);
  restoreTheme(root);
}

/** Shows a studio in the theme that the tab keeps. */
export function restoreTheme(root: Document | ShadowRoot): void {
  const shown = root instanceof ShadowRoot ? root.host : root.documentElement;
  if (shown instanceof HTMLElement) shown.style.colorScheme = tabStorage()?.getItem(key) ?? '';
}
