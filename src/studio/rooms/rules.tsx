import { Empty, type RoomProps } from '../ui.tsx';

export function Rules({ source }: RoomProps) {
  return (
    <section class="card">
      <h1>Rules</h1>
      <Empty>Nothing to show of {source.root} yet.</Empty>
    </section>
  );
}
