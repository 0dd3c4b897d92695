import { Empty, type RoomProps } from '../ui.tsx';

export function TimeRoom({ source }: RoomProps) {
  return (
    <section class="card">
      <h1>Time</h1>
      <Empty>Nothing to show of {source.root} yet.</Empty>
    </section>
  );
}
