import manifest from '../../../package.json' with { type: 'json' };

/** The version of the package. The build replaces this module by the text alone. */
export const { version } = manifest as { readonly version: string };
