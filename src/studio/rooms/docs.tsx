import { Empty, type RoomProps } from '../ui.tsx';

export function Docs({ source }: RoomProps) {
  return (
    <section class="card">
      <h1>Docs</h1>
      <Empty>Nothing to show of {source.root} yet.</Empty>
    </section>
  );
}
