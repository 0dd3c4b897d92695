/** The details of a journal entry that a history adds. */
export interface RecordedDetails {
  /** Approximate number of bytes that it keeps in memory. */
  readonly size: number;
}

/** An entry of the journal that is no request: a write by other means, a move of the clock, a restore or a reset. */
export class RecordedAction<Details extends RecordedDetails = RecordedDetails> {
  readonly id: number;
  readonly at: string;
  readonly by: 'page' | 'clock' | 'restore' | 'reset';
  readonly title: string;
  /** The actor that made it, if the request that led to it named one. */
  readonly actor: string | undefined;
  readonly size = 0;
  /** Approximate number of characters that it keeps in memory without its details. */
  readonly requestSize = 300;
  details: Details | undefined;

  constructor(
    id: number,
    at: string,
    { by, title, actor }: Pick<RecordedAction, 'by' | 'title' | 'actor'>,
    details: Details,
  ) {
    this.id = id;
    this.at = at;
    this.by = by;
    this.title = title;
    this.actor = actor;
    this.details = details;
  }

  /** It has no response body. */
  discardBody(): void {}
}
