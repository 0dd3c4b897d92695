/** The parts of an endpoint row that name its operation. */
interface Named {
  readonly method: string;
  readonly path: string;
  readonly operationId?: string;
}

/**
 * Returns the name of an operation in documents: that of its row, or else one from its method and path. For example,
 * `GET /api/orders/` is `listOrders`, `PATCH /api/users/:user_id` is `patchUser`, and `POST
 * /api/orders/:order_id/items/` is `addOrderItem`.
 */
export function operationIdOf({ method, path, operationId }: Named): string {
  if (operationId !== undefined) return operationId;
  const segments = path.split('/').filter((one) => !['', 'api', '_backlot'].includes(one));
  const nouns = segments.filter((one) => !one.startsWith(':'));
  const isRecord = segments.at(-1)?.startsWith(':') === true;
  const verbs = nouns.length > 1 ? { ...verbsOfRecords, ...verbsOfParts } : verbsOfRecords;
  const isList = method === 'GET' && !isRecord;
  const words = nouns.map((noun, at) =>
    isList && at === nouns.length - 1 ? camel(noun) : singular(camel(noun)),
  );
  return [isList ? 'list' : (verbs[method] ?? method.toLowerCase()), ...words].join('');
}

const verbsOfRecords: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** The verbs of records in other records, such as the items of an order. */
const verbsOfParts = { POST: 'add', DELETE: 'remove' };

function camel(noun: string): string {
  return noun.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function singular(noun: string): string {
  return noun.endsWith('ies') ? `${noun.slice(0, -3)}y` : noun.replace(/s$/, '');
}
