import { Users } from './Users.jsx';

export default { component: Users };

/** A story whose shop has this number of users in addition to those of its scenario. */
function shop(users) {
  const given = (given) => {
    for (let user = 0; user < users; user++) given.aUser();
  };
  return { parameters: { backlot: { scenario: 'empty', given } } };
}

export const Shop1 = shop(1);
export const Shop2 = shop(2);
export const Shop3 = shop(3);
export const Shop4 = shop(4);
export const Shop5 = shop(5);
export const Shop6 = shop(6);
export const Shop7 = shop(7);
export const Shop8 = shop(8);
export const Shop9 = shop(9);
export const Shop10 = shop(10);
export const Shop11 = shop(11);
export const Shop12 = shop(12);
export const Shop13 = shop(13);
export const Shop14 = shop(14);
export const Shop15 = shop(15);
export const Shop16 = shop(16);
export const Shop17 = shop(17);
export const Shop18 = shop(18);
export const Shop19 = shop(19);
export const Shop20 = shop(20);
