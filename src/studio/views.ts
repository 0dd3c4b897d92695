/**
 * Returns the views of the studio, each loaded when it is first opened. The panel in an app has them from the start, in
 * this order: code that is alike is near, which makes it smaller, compressed.
 */
export const rules = async () => (await import('./rules/rules.tsx')).Rules;
export const chaos = async () => (await import('./chaos/chaos.tsx')).Chaos;
export const time = async () => (await import('./time/time.tsx')).TimeSection;
export const home = async () => (await import('./home/home.tsx')).Home;
export const docs = async () => (await import('./docs/docs.tsx')).Docs;
export const activity = async () => (await import('./activity/activity.tsx')).Activity;
export const composer = async () => (await import('./composer/composer.tsx')).Composer;
export const files = async () => (await import('./files/files.tsx')).files;
