/** The position of a state: column and row from 0. Rows may be halves. */
export type Position = readonly [column: number, row: number];

/** The position of each state in the charts, by machine. */
export const layouts: Readonly<Record<string, Readonly<Record<string, Position>>>> = {
  order: {
    cart: [0, 1],
    pending: [1, 0],
    abandoned: [1, 2],
    released: [2, 0],
    confirmed: [2, 1],
    shipped: [3, 1],
    cancelled: [3, 2],
    returned: [4, 1],
  },
  payment: {
    new: [0, 1],
    pending: [1, 0],
    processing: [1, 1],
    void: [1, 2],
    authorized: [2, 0],
    failed: [2, 2],
    completed: [3, 1],
    cancelled: [3, 2],
    refunded: [4, 1],
    unknown: [4, 2],
  },
  shipment: {
    checkout: [0, 1],
    backordered: [1, 0],
    onhold: [1, 1],
    ready: [2, 1],
    cancelled: [2, 2],
    shipped: [3, 1],
    returned: [4, 1],
    pending: [4, 2],
  },
  inventory_unit: {
    checkout: [0, 1],
    backordered: [1, 0],
    onhold: [1, 1],
    sold: [2, 1],
    returned: [3, 1],
  },
};
