import type { FilterChecks } from '../../engine/definition/drift.ts';
import { truncate } from '../../engine/lib/problem.ts';

export const byTime: FilterChecks = {
  none: [
    'criteria[number]=no-such-number',
    'criteria[createdAtFrom]=8999-01-01',
    'criteria[createdAtTo]=1970-01-01',
  ],
  rejected: ['criteria[createdAtFrom]=yesterday'],
  field: 'created_at',
  matching: (time) => {
    const day = encoded(time.slice(0, 10));
    const query = `criteria[createdAtFrom]=${day}&criteria[createdAtTo]=${day}`;
    return [query, 'it was created on this day'];
  },
};

export const byUsername: FilterChecks = {
  none: ['criteria[query]=no-such-user-anywhere'],
  field: 'username',
  matching: (username) => [
    `criteria[query]=${encoded(username.toUpperCase())}`,
    'its username matches',
  ],
};

export const byName: FilterChecks = {
  none: ['criteria[name]=no-such-product-anywhere'],
  field: 'name',
  matching: (name) => [
    `criteria[name]=${encoded(name.slice(0, 6).toUpperCase())}`,
    'its name matches',
  ],
};

function encoded(text: string): string {
  return encodeURIComponent(truncate(text).toWellFormed());
}
