export { default } from './blocks/tools-vite-with-a-server.js';
