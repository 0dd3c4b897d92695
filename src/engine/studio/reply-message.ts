import type { Reply } from './source.ts';

/** Returns the message of an error with the first message of each invalid field. */
export function messageOf({ status, body }: Pick<Reply<unknown>, 'status' | 'body'>): string {
  if (typeof body !== 'object' || body === null) return `status ${status}`;
  const { message = `status ${status}`, errors = {} } = body as {
    readonly message?: string;
    readonly errors?: object;
  };
  return [message, ...fieldErrors(errors)].join(' ');
}

function fieldErrors(node: object, path: readonly string[] = []): string[] {
  const { errors = [], children = {} } = node as {
    readonly errors?: readonly string[];
    readonly children?: Readonly<Record<string, object>>;
  };
  const own = errors.map((text) => (path.length === 0 ? text : `${path.join('.')}: ${text}`));
  const inner = Object.entries(children).flatMap(([name, child]) =>
    fieldErrors(child, [...path, name]),
  );
  return [...own, ...inner];
}
