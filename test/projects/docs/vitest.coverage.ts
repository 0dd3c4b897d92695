export { default } from './blocks/coverage-in-vitest.ts';
