import { startWorker } from 'backlot/browser';

const office = await startWorker({ scenario: 'filled-cart' });
const orders = await fetch('/api/orders/?limit=3');
console.log(await orders.json());
office.clock.advance('P1D');
office.reset('sale');
