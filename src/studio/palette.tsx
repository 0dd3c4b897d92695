import type { RoomProps } from './ui.tsx';

/** Finds anything by id or word. Ctrl+K or ⌘K opens it. */
export function Palette({ source }: RoomProps) {
  return source.root === '' ? <p>Search</p> : null;
}
