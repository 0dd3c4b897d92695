/** Returns the views of the store, each loaded when it is first opened. */
export const orders = async () => (await import('./orders/orders.tsx')).Orders;
export const data = async () => (await import('./data/data.tsx')).Data;
export const why = async () => (await import('./why/why.tsx')).Why;
export const upcoming = async () => (await import('./upcoming.tsx')).Upcoming;
export const latest = async () => (await import('./upcoming.tsx')).Latest;
