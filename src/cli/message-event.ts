/**
 * What takes the place of Node's own `MessageEvent` in the events of @msw/data. With that one Node loads all of its
 * fetch and its WebSocket, which a server has no use for.
 */
export class MessageEvent<Data> extends Event {
  readonly data: Data | null;

  constructor(type: string, { data = null, ...init }: EventInit & { data?: Data | null } = {}) {
    super(type, init);
    this.data = data;
  }
}
