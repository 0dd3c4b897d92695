import { createBackOffice } from 'backlot/node';

// What a suite does, in the runtime that runs this. It prints what it has seen.
const office = createBackOffice();
office.listen({ onUnhandledRequest: 'error' });
const seen = {
  answered: (await (await fetch('https://shop.test/api/users/1')).json()).id,
  rejected: await fetch('https://elsewhere.test/').catch(() => 'rejected'),
};
office.close();
console.log(JSON.stringify(seen));
