import type { PrebuiltStart } from './prebuilt.ts';

/** The prebuilt starts by the name of the scenario: none in the sources. The build for Node.js replaces this module. */
export const prebuiltStarts: Readonly<Record<string, PrebuiltStart>> = {};
