import { Empty, type RoomProps } from '../ui.tsx';

export function Order({ source }: RoomProps) {
  return (
    <section class="card">
      <h1>Order</h1>
      <Empty>Nothing to show of {source.root} yet.</Empty>
    </section>
  );
}
