import type { Database } from '../models/database.ts';
import { maxOrderNumber } from '../models/sequence.ts';
import { refusedProblem } from './refusal.ts';

const name = 'order_number';

/** The next order number: nine digits, from `000000001`. One that is given is not given again. */
export function nextNumber(db: Database): string {
  return nextNumbers(db, 1).join();
}

/** The next numbers of several orders. */
export function nextNumbers(db: Database, count: number): string[] {
  const sequence = db.sequences.findUnique('name', name) ?? db.sequences.add({ name, value: 0 });
  const numbers: string[] = [];
  let { value } = sequence;
  while (numbers.length < count) {
    if (value >= maxOrderNumber) {
      throw refusedProblem(`No order number is left: ${value}, the highest one, was given.`);
    }
    value++;
    const number = String(value).padStart(9, '0');
    // Orders that a scenario brings along may have numbers already.
    if (db.orders.findUnique('number', number) === undefined) numbers.push(number);
  }
  db.sequences.change(sequence.id, { value });
  return numbers;
}
