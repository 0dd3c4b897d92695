export { pathOf } from '../client.ts';
export type {
  AnswerOf,
  BodyOf,
  Call,
  EndpointName,
  ErrorBody,
  PathOf,
  QueryOf,
  SentTo,
} from '../client.ts';
