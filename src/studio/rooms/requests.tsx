import { Empty, type RoomProps } from '../ui.tsx';

export function Requests({ source }: RoomProps) {
  return (
    <section class="card">
      <h1>Requests</h1>
      <Empty>Nothing to show of {source.root} yet.</Empty>
    </section>
  );
}
