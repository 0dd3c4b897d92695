import { Empty, type RoomProps } from '../ui.tsx';

export function Data({ source }: RoomProps) {
  return (
    <section class="card">
      <h1>Data</h1>
      <Empty>Nothing to show of {source.root} yet.</Empty>
    </section>
  );
}
