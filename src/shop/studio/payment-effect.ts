import type { EffectKind } from '../../engine/studio/rules/effect.ts';

const outcomes = ['declined', 'approved', 'pending', 'authorized', 'cancelled', 'error'];

/** Decides what the payment service says. */
export const paymentEffect: EffectKind = {
  name: 'outcome',
  label: 'decide the payment',
  kind: 'script',
  fields: [
    { name: 'outcome', label: 'Outcome', initial: 'declined', values: outcomes },
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
  ruleOf(valueOf) {
    const [outcome, reason, after] = ['outcome', 'reason', 'after'].map(valueOf);
    const own = { outcome, ...(reason !== '' && { reason }) };
    return after === '' ? own : { outcome: 'pending', settle: { after, ...own } };
  },
  texts: {
    outcome: String,
    settle(value) {
      const { after, outcome } = value as { readonly after: string; readonly outcome: string };
      return `${outcome} after ${after}`;
    },
  },
};
