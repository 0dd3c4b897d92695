/** A response of the test suite, with the endpoint that it is of. */
export interface RecordedAnswer {
  readonly method: string;
  /** `/api/orders/:order_id` */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether the request asked for a status by `Prefer`. */
  readonly isPreferred: boolean;
}

/** What a test file passes on to the reporter. */
export interface RecordedMeta {
  recordedAnswers?: readonly RecordedAnswer[];
}

/** Names a response by its operation, status, content type, and the kinds of values at each path of its body. */
export function keyOf({ method, path, status, headers, body = '' }: RecordedAnswer): string {
  const kinds = new Set<string>();
  addKinds(parsed(body), '', kinds);
  const shape = [...kinds].toSorted().join(' ');
  return `${method} ${path} ${status} ${headers['content-type']} ${shape}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Positions in lists, and names that are numbers, share a path. */
function addKinds(value: unknown, path: string, kinds: Set<string>): void {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
  kinds.add(`${path}:${kind}`);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, one] of Object.entries(value))
    addKinds(one, `${path}.${/^\d+$/.test(name) ? '*' : name}`, kinds);
}
