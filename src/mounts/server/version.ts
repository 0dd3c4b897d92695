declare const backlotVersion: string | undefined;

/** The version of the package, which the build defines. */
// oxlint-disable-next-line unicorn/no-typeof-undefined -- the sources have no such variable
export const version = typeof backlotVersion === 'undefined' ? '0' : backlotVersion;
