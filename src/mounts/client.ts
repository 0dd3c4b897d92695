export { pathOf } from '../client.ts';
export type { AnswerOf, BodyOf, EndpointName, ErrorBody, PathOf, QueryOf } from '../client.ts';
