import pages from '#pages/pages.json' with { type: 'json' };

/** Scripts and style sheets by their paths below `/_backlot/`, as `tools/pages.ts` builds them. */
export type PageFiles = Readonly<Record<string, string>>;

export const builtPages = pages as PageFiles;
