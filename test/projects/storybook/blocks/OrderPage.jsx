export { Order as OrderPage } from '../src/Order.jsx';
