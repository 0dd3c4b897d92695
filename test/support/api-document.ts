import { ApiDocument } from '../../src/suite/api-document.ts';

/** Returns an OpenAPI document that refers to no file. */
export function documentOf(document: unknown): ApiDocument {
  return new ApiDocument(new Map([['file:///openapi.json', document]]));
}
