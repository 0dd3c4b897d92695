import { mock } from './mock.js';

const { port } = Bun.serve({ fetch: mock, port: 0, hostname: '127.0.0.1' });
console.log(port);
