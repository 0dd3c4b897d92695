/** The version of the package, which the build puts here. */
export const version = '0';
