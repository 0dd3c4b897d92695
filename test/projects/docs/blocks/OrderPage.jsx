/** What the story of the docs shows: a component of its reader. */
export const OrderPage = ({ id }) => id;
