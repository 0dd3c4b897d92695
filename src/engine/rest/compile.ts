export { compile } from 'zod';
