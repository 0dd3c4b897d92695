import type { paths } from './extended.js';

type Gadgets = paths['/api/gadgets/'];

/** Compiles only if the document has each kind of field with its type. */
export const body: Gadgets['post']['requestBody']['content']['application/json'] = {
  text: 'Lamp',
  integer: 3,
  decimal: 1.5,
  money: 500,
  flag: true,
  time: '2026-03-02T09:00:00+0000',
  oneOf: 'red',
  texts: ['one'],
  ref: 1,
  refs: [7],
};

type Gadget = Gadgets['post']['responses'][201]['content']['application/json'];

export const computed = (gadget: Gadget): [number | undefined, 'red' | 'green'] => [
  gadget.computed,
  gadget.colour,
];
