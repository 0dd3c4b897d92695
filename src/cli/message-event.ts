/**
 * Replaces the global `MessageEvent` in the events of @msw/data. To provide the global one, Node.js loads its
 * implementation of fetch and WebSocket, which a server does not use.
 */
export class MessageEvent<Data> extends Event {
  readonly data: Data | null;

  constructor(type: string, { data = null, ...init }: EventInit & { data?: Data | null } = {}) {
    super(type, init);
    this.data = data;
  }
}
