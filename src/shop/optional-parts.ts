// All that few scenarios need. A page imports it as one module: each further one would divide the package into more chunks.
export * as ofScenarios from '../scenario/optional-parts.ts';
export * as generator from './generate/generate.ts';
