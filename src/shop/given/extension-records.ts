import type { ApiDefinition, ApiEndpoint } from '../../engine/definition/api.ts';
import { alreadyUsed } from '../../engine/definition/records.ts';
import { isExtended } from '../../engine/extend/extension.ts';
import { givenName } from '../../engine/extend/given-name.ts';
import { pathOf } from '../../engine/extend/resource-parts.ts';
import type { ResourceOptions } from '../../engine/extend/resource.ts';
import { isObject } from '../../engine/lib/json-value.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { unknownKeys } from '../../engine/lib/unknown-keys.ts';
import type { StoreOffice } from '../office/store-office.ts';
import type { Row } from '../../engine/store/row.ts';
import { valueOf, type KnownRecords } from './field-values.ts';
import { sendUnobserved } from './send.ts';

/** A resource of an extension. */
export interface ExtensionResource extends ResourceOptions {
  readonly key: string;
  /** The function of `given` that sets up a record: `aWishlist`. */
  readonly name: string;
  /** The endpoint that creates a record. */
  readonly row: ApiEndpoint;
}

/** Returns the resources that extensions have added to an API. */
export function extensionResources(api: ApiDefinition): ExtensionResource[] {
  const own = isExtended(api) ? api.addedResources : {};
  return Object.entries(own).flatMap(([key, options]) => {
    const path = pathOf(key);
    const row = api.endpoints.find((one) => one.method === 'POST' && one.path === path);
    return row === undefined ? [] : [{ ...options, key, name: givenName(options.singular), row }];
  });
}

type CreateRecord = KnownRecords['create'];

/** A function that sets up a record. */
export type SetUp = (values?: Readonly<Record<string, unknown>>) => Row;

/**
 * Returns the functions that set up records of the resources of an extension, by name.
 *
 * @param createOther creates records of other tables, which the fields of resources refer to. It throws for those that it
 *   cannot create
 */
export function extensionRecords(
  office: Pick<StoreOffice, 'shop' | 'requestUnobserved'>,
  createOther: CreateRecord,
): Readonly<Record<string, SetUp>> {
  const creating = new Set<string>();
  const create: CreateRecord = (key) => {
    const setUp = byKey.get(key);
    if (setUp === undefined) return createOther(key);
    if (creating.has(key))
      throw new Problem('refused', `Failed to set up: ${key} require each other`);
    creating.add(key);
    try {
      return setUp().id;
    } finally {
      creating.delete(key);
    }
  };
  const resources = extensionResources(office.shop.api);
  const byKey = new Map(resources.map((one) => [one.key, setUpOf(office, one, create)]));
  return Object.fromEntries(
    resources.flatMap(({ key, name }) => {
      const setUp = byKey.get(key);
      return setUp === undefined ? [] : [[name, setUp]];
    }),
  );
}

function setUpOf(
  office: Pick<StoreOffice, 'shop' | 'requestUnobserved'>,
  resource: ExtensionResource,
  create: CreateRecord,
): SetUp {
  const { transaction, db } = office.shop;
  const records: KnownRecords = {
    idAt: (table, position) => db[table]?.page(position, 1)[0]?.id,
    create,
  };
  const { key, name, row } = resource;
  let count = 0;
  return (values = {}) => {
    const known = Object.keys(row.body?.children ?? {});
    const unknown = Object.keys(values).filter((one) => !known.includes(one));
    if (unknown.length > 0)
      throw new Problem(
        'refused',
        `Failed to set up by ${name}: ${unknownKeys(unknown, known, 'field')}`,
      );
    // Pages leave out examples of rows, which have the parameters of rules, too.
    const { example }: Partial<ApiEndpoint> = row;
    const fill = fieldsToFill(resource, values);
    const attempt = (at: number): Row => {
      count += 1;
      const context = { resource, count, attempt: at, records };
      const made = fill.map(({ parameter, isUnique, varies }) => {
        const isVaried = varies || (at > 0 && isUnique);
        return [parameter, valueOf(parameter, { ...context, isVaried })] as const;
      });
      const body = { ...example?.body, ...Object.fromEntries(made), ...values };
      return rowOf(sendUnobserved(office, `POST ${row.path}`, row.path, body));
    };
    // Each attempt has other values, and only those of a record can be taken.
    const attempts = fill.some(({ isUnique }) => isUnique) ? (db[key]?.count() ?? 0) + 1 : 0;
    for (let at = 0; at < attempts; at++) {
      try {
        return transaction.run(() => attempt(at));
      } catch (error) {
        if (!(error instanceof Problem) || !error.message.includes(alreadyUsed)) throw error;
      }
    }
    return transaction.run(() => attempt(attempts));
  };
}

function rowOf(created: unknown): Row {
  if (isRow(created)) return created;
  throw new Problem('fault', 'The response to a creation must have the id of the record');
}

/** Clients may know a record by a UUID in the place of its number, and refer to it by that. */
function isRow(value: unknown): value is Row {
  return isObject(value) && ['number', 'string'].includes(typeof value['id']);
}

interface FieldToFill {
  readonly parameter: string;
  /** Whether records cannot share it, alone or with others. */
  readonly isUnique: boolean;
  /** Whether it is chosen to tell records apart: not a reference, if there is another one. */
  readonly varies: boolean;
}

/** Returns the parameters that a caller leaves out and a record has to have. */
function fieldsToFill({ fields, unique = {} }: ResourceOptions, values: object): FieldToFill[] {
  const keys = Object.entries(unique).map(([name, all = [name]]) =>
    all.filter((one) => !Object.hasOwn(values, one) && fields[one]?.isOptional === false),
  );
  const varying = keys.flatMap((names) => {
    const plain = names.filter((one) => fields[one]?.reference === undefined);
    return plain.length > 0 ? plain : names;
  });
  return Object.entries(fields).flatMap(([parameter, { sent, isOptional, options }]) => {
    const isUnique = keys.some((names) => names.includes(parameter));
    const isLeft = isOptional || (options.default !== undefined && !isUnique);
    return sent === undefined || isLeft || Object.hasOwn(values, parameter)
      ? []
      : [{ parameter, isUnique, varies: varying.includes(parameter) }];
  });
}
