export { create as createDraft } from 'mutative';

/** Loads `createDraft` if need be. Returns undefined if it is there. */
export function loadDrafts(): Promise<void> | undefined {
  return undefined;
}
