export { seenRequests } from './similar.ts';
