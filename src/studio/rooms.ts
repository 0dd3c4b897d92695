/** Returns the parts of the studio that are loaded when they are first opened. The panel in an app has them from the start. */
export const docs = async () => (await import('./docs/docs.tsx')).Docs;
export const why = async () => (await import('./why/why.tsx')).Why;
