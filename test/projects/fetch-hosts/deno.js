import { mock } from './mock.js';

const { addr } = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen() {} }, mock);
console.log(addr.port);
