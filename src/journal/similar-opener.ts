export { mostSimilar } from './similar.ts';
