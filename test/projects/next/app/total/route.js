export { GET } from '../../blocks/as-a-server-next-js-3.js';
