/** A call of an endpoint in a test. */
export interface Call {
  /** `PUT /api/checkouts/:order_id` */
  readonly endpoint: string;
  /** Which of the calls of the endpoint in the test: 1 for the first. */
  readonly nth: number;
}

/** `PUT /api/checkouts/:order_id (2)`: the second call of the endpoint. */
export function callText({ endpoint, nth }: Call): string {
  return nth === 1 ? endpoint : `${endpoint} (${nth})`;
}

/** `GET /api/orders/ (2) before GET /api/orders/`: the order in which the responses to calls arrive. */
export function orderText(calls: readonly Call[]): string {
  return calls.map(callText).join(' before ');
}

/** Whether a call changes nothing by what its endpoint is named: `GET /api/orders`, `POST /graphql query GetOrders`. */
export function isRead({ endpoint }: Pick<Call, 'endpoint'>): boolean {
  if (/^(GET|HEAD|OPTIONS) /.test(endpoint)) return true;
  const [, operations] = /^\S+ \S+ (.*)$/s.exec(endpoint) ?? [];
  return operations?.split(', ').every((one) => /^query \w+$/.test(one)) === true;
}

export function isSameCall(one: Call, other: Call): boolean {
  return one.endpoint === other.endpoint && one.nth === other.nth;
}

/** Whether a name begins with one of some texts, or there are none. A slash at the end of a path does not matter. */
export function isChosen(name: string, only: readonly string[]): boolean {
  const start = withoutSlash(name);
  return only.length === 0 || only.some((one) => start.startsWith(withoutSlash(one)));
}

function withoutSlash(text: string): string {
  return text.replaceAll(/\/(?= |$)/g, '');
}
