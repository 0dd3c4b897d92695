/** A store that cannot be used. The message states why. */
export class StoreIssue extends Error {
  override readonly name = 'StoreIssue';
}
