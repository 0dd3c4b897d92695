export { default } from './blocks/as-a-server-next-js.js';
