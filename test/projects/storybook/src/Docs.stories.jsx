import { AwaitingPayment as story } from '../blocks/storybook-storybook.jsx';

export default { title: 'Docs' };

export const AwaitingPayment = { ...story };
