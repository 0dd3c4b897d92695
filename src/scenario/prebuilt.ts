import type { PrebuiltStart } from './prebuilt-start.ts';

/** Starts that are known beforehand, by the scenario's name: none in the sources. The build of the program puts them here. */
export const prebuilt: Readonly<Record<string, PrebuiltStart>> = {};
