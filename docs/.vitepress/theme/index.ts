import DefaultTheme from 'vitepress/theme';
import type { Theme } from 'vitepress';
import { h } from 'vue';
import NotFound from './not-found.vue';
import { addRunButtons } from './run-buttons.ts';
import Playground from './playground.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': () => h(NotFound) }),
  enhanceApp({ app, siteData }) {
    app.component('Playground', Playground);
    if (typeof document === 'undefined') return;
    addRunButtons(document);
    if (import.meta.env.PROD)
      void navigator.serviceWorker
        ?.register(`${siteData.value.base}worker.js`)
        .catch(() => undefined);
  },
} satisfies Theme;
