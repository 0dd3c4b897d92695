/** Returns the pages of the store, and the rooms that it has more in. They are loaded when they are first opened. */
export const orders = async () => (await import('./orders/orders.tsx')).Orders;
export const data = async () => (await import('./data/data.tsx')).Data;
export const why = async () => (await import('./why/why.tsx')).Why;
