// For back offices that have neither: those of `backlot` and `backlot/browser`. A page that is no test loads none of it.
export { givenFor, type Given, type GivenOrder, type GivenProduct } from '../shop/given/given.ts';
export { toHaveReceived, type ExpectedRequest, type RequestName } from './node/received.ts';
