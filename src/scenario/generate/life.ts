import { oddsOf, type Chance } from './chance.ts';

/** What happens to an order after its checkout, all its shipments or all its payments together. */
export type Event = 'complete' | 'release' | 'cancel' | 'ship' | 'return' | 'refund';

/** How far the checkout of an order gets. */
export const stages = ['cart', 'addressing', 'shipping', 'payment', 'confirm', 'purchase'] as const;
export type Stage = (typeof stages)[number];

/** Where each stage stands among them. */
export const ranks: Readonly<Record<Stage, number>> = {
  cart: 0,
  addressing: 1,
  shipping: 2,
  payment: 3,
  confirm: 4,
  purchase: 5,
};

/** What becomes of an order. Times are in seconds since 1970. */
export interface Life {
  readonly until: Stage;
  readonly card: string;
  readonly later: readonly Happening[];
}

export interface Happening {
  readonly at: number;
  readonly event: Event;
}

export const goodCard = '4242424242424242';
export const badCard = '4000000000000002';

const hour = 3600;
const day = 24 * hour;

/** Given up, never paid, declined, paid. */
const fates = oddsOf([20, 2, 1, 77]);

/** At which stage of the checkout carts are given up. */
const leaving = oddsOf([45, 25, 18, 12]);

interface Beginning {
  readonly at: number;
  readonly pace: number;
  readonly now: number;
  /** Whether it can be shipped and paid for. */
  readonly isWhole: boolean;
  readonly byCard: boolean;
}

/** Whether an order has come so far, or further. */
export function hasReached({ until }: Pick<Life, 'until'>, stage: Stage): boolean {
  return ranks[until] >= ranks[stage];
}

/** Whether an order is paid by a card that is good. */
export function isBought({ until, card }: Pick<Life, 'until' | 'card'>): boolean {
  return until === 'purchase' && card === goodCard;
}

/** Decides what becomes of an order: as much of it as has happened by now. */
export function lifecycleOf(chance: Chance, beginning: Beginning): Life {
  const { at, pace, now, isWhole } = beginning;
  const life = isWhole ? wholeLife(chance, beginning) : ended('cart');
  const steps = Math.floor((now - at) / pace);
  if (ranks[life.until] > steps) return ended(stages[steps] ?? 'cart');
  const hasHappened = (happening: Happening): boolean => happening.at <= now;
  return life.later.every(hasHappened) ? life : { ...life, later: life.later.filter(hasHappened) };
}

function wholeLife(chance: Chance, beginning: Beginning): Life {
  const fate = chance.draw(fates);
  if (fate === 0) return ended(stages[chance.draw(leaving)] ?? 'cart');
  const { at, pace, byCard } = beginning;
  const confirmed = at + 4 * pace;
  const release = confirmed + chance.between(7 * day, 11 * day);
  if (fate === 1) return ended('confirm', [{ at: release, event: 'release' }]);
  if (fate === 2) return ended('purchase', [{ at: release, event: 'release' }], badCard);
  const paid = byCard ? confirmed + pace : confirmed + chance.between(60, 3 * hour);
  const fulfilled = fulfilment(chance, paid);
  return byCard
    ? ended('purchase', fulfilled)
    : ended('confirm', [{ at: paid, event: 'complete' }, ...fulfilled]);
}

/** What a shop does with an order that is paid. */
function fulfilment(chance: Chance, paid: number): Happening[] {
  if (chance.next() < 0.03) {
    const cancelled = paid + chance.between(600, 10 * hour);
    return [
      { at: cancelled, event: 'cancel' },
      { at: cancelled + chance.between(300, 2 * day), event: 'refund' },
    ];
  }
  const shipped = paid + chance.between(4 * hour, 3 * day);
  if (chance.next() > 0.04) return [{ at: shipped, event: 'ship' }];
  const back = shipped + chance.between(4 * day, 20 * day);
  return [
    { at: shipped, event: 'ship' },
    { at: back, event: 'return' },
    { at: back + chance.between(hour, 3 * day), event: 'refund' },
  ];
}

function ended(until: Stage, later: readonly Happening[] = [], card = goodCard): Life {
  return { until, card, later };
}
