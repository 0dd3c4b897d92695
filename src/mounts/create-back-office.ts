export { createBackOffice } from './mount.ts';
