import { Empty, type RoomProps } from '../ui.tsx';

export function Orders({ source }: RoomProps) {
  return (
    <section class="card">
      <h1>Orders</h1>
      <Empty>Nothing to show of {source.root} yet.</Empty>
    </section>
  );
}
