import type { Effect } from '../rules/effect.ts';

/** Decides what the payment service says. */
export const paymentEffect: Effect = {
  name: 'outcome',
  label: 'decide the payment',
  fields: [
    { name: 'outcome', label: 'Outcome', initial: 'declined' },
    {
      name: 'reason',
      label: 'Reason',
      initial: '',
      isOptional: true,
      hint: 'Insufficient funds',
    },
    { name: 'after', label: 'Settle after', initial: '', isOptional: true, hint: 'PT10M' },
  ],
  step: 'purchase',
  ruleOf: ({ after, ...own }) =>
    after === undefined ? own : { outcome: 'pending', settle: { after, ...own } },
  texts: { outcome: '{}', settle: '{outcome} after {after}' },
};
