import { signal } from '@preact/signals';

/** A message at the bottom of the page. */
export interface Notice {
  readonly kind: 'done' | 'error';
  readonly text: string;
  /** The entry that was made. If it is on the time line, it is told there. */
  readonly entry?: number | undefined;
  /** What can be done instead. */
  readonly offer?: { readonly text: string; readonly run: () => unknown };
}

export const noResponse = 'The server does not respond.';

/** The notices of a studio to its user. */
export class Notices {
  readonly shown = signal<Notice | undefined>(undefined);
  /** Whether the control API requires a token. */
  readonly needsToken = signal(false);

  /** Shows an error of the page or of the network, or a text that says one. */
  show(error: unknown): void {
    const text = error instanceof TypeError ? noResponse : String(error);
    this.shown.value = { kind: 'error', text };
  }
}
