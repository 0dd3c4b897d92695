import { Order } from './Order.jsx';
import { Users } from './Users.jsx';

const match = { path: '/api/users' };

export default { component: Users };

export const Loading = {
  parameters: { backlot: { faults: [{ match, hold: 'users' }] } },
};

export const Released = {
  parameters: { backlot: { scenario: 'empty', faults: [{ match, hold: 'users' }] } },
  play: async ({ canvasElement, loaded: { backlot } }) => {
    if (canvasElement.textContent.includes('60 users'))
      throw new Error('The response is not held.');
    backlot.release('users');
  },
};

export const Failing = {
  parameters: { backlot: { faults: [{ match, status: 503 }] } },
};

export const AtAnotherTime = {
  parameters: { backlot: { scenario: 'empty', now: '2031-05-06T07:08:09Z' } },
  render: (args, { loaded: { backlot } }) => <output>{backlot.clock.now()}</output>,
};

export const OneOrder = {
  parameters: { backlot: { given: (given) => given.anOrder({ awaits: 'payment' }) } },
  render: (args, { loaded: { backlot } }) => <Order id={backlot.made.id} />,
};

export const OnTheNetwork = { parameters: { backlot: { disable: true } } };
