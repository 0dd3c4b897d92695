/** Returns the parts of the studio that are loaded when they are first opened. The panel in an app has them from the start. */
export const activity = async () => (await import('./activity/activity.tsx')).Activity;
export const composer = async () => (await import('./composer/composer.tsx')).Composer;
export const data = async () => (await import('./data/data.tsx')).Data;
export const docs = async () => (await import('./docs/docs.tsx')).Docs;
export const files = async () => (await import('./files/files.tsx')).Files;
export const home = async () => (await import('./home/home.tsx')).Home;
export const rules = async () => (await import('./rules/rules.tsx')).Rules;
export const time = async () => (await import('./time/time.tsx')).TimeSection;
export const why = async () => (await import('./why/why.tsx')).Why;
