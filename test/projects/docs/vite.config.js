export { default } from './blocks/as-a-server-vite-with-a-server.js';
