import { createBackOffice } from 'backlot';

const office = createBackOffice({ scenario: 'sale' });
const response = await office.fetch('/api/users/1');
if (response.status !== 200) throw new Error(`The status is ${response.status}`);
