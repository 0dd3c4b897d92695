import { signal } from '@preact/signals';

/** A message at the bottom of the page. `undo` is the entry before which the shop is restored. */
export interface Notice extends Partial<Rewound> {
  readonly kind: 'done' | 'error';
  readonly text: string;
  readonly undo?: number;
  /** What can be done instead. */
  readonly offer?: { readonly text: string; readonly run: () => unknown };
}

/** The changes that an action has undone or restored. */
export interface Rewound {
  readonly what: string;
  readonly way: 'undone' | 'redone';
}

export const noResponse = 'The server does not respond.';

/** The notices of a studio to its user. */
export class Notices {
  readonly shown = signal<Notice | undefined>(undefined);
  /** Whether the control API requires a token. */
  readonly needsToken = signal(false);

  /** Shows an error of the page or of the network. */
  show(error: unknown): void {
    const text = error instanceof TypeError ? noResponse : String(error);
    this.shown.value = { kind: 'error', text };
  }
}
