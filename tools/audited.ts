/** Prints a package.json that depends on exactly what the package contains and depends on, for `npm audit`. */
import { manifest } from './packed.ts';

const { dependencies, inlinedDependencies } = manifest;
console.log(
  JSON.stringify({ private: true, dependencies: { ...inlinedDependencies, ...dependencies } }),
);
