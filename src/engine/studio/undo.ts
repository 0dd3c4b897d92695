import { act, type Rewound } from './store.ts';

/** Undoes an action, or brings back what one has undone, and says which: `Undone: Order 105: addressing`. */
export async function undo(id: number, what: string): Promise<void> {
  await rewindAs({ what, way: 'undone' }, id, 'before');
}

/** Brings an action back that was undone. @param to where that leads: after the action, or before what has undone it */
export async function redo(id: number, what: string, to: 'before' | 'after'): Promise<void> {
  await rewindAs({ what, way: 'redone' }, id, to);
}

async function rewindAs(rewound: Rewound, id: number, to: 'before' | 'after'): Promise<void> {
  const title = `${rewound.way === 'undone' ? 'Undone' : 'Redone'}: ${rewound.what}`;
  await act(title, `POST /_backlot/journal/${id}/rewind`, { to }, undefined, rewound);
}
