import { startWorker } from 'backlot/browser';

const office = await startWorker({ scenario: 'filled-cart' });
const cart = await fetch('/api/orders/1');
console.log(await cart.json());
office.clock.advance('P1D');
office.reset('sale');
