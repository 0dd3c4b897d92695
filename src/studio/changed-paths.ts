import { isObject } from '../engine/lib/json-value.ts';
import type { Tone } from '../engine/journal/tone.ts';
import type { Entry } from './entries.ts';
import type { Studio } from './studio.ts';

/**
 * Returns the paths of the values in a response that its request has changed. A part of a response is taken for a record by
 * its id and by the name of the list that it is in; the whole response, for a record of the resource in the path.
 */
export function changedPaths(
  studio: Studio,
  { url = '', answer, changes }: Entry,
): ReadonlyMap<string, Tone> {
  const fields = new Map(
    changes.map(({ table, id, fields: all }) => [
      `${table}/${id}`,
      new Set(all.map(({ field }) => field)),
    ]),
  );
  const paths = new Map<string, Tone>();
  const visit = (value: unknown, path: readonly string[], table: string): void => {
    if (!isObject(value)) return;
    const changed = fields.get(`${table}/${String(value['id'])}`);
    for (const [name, inner] of Object.entries(value)) {
      const own = [...path, name];
      if (changed?.has(name) === true) paths.set(own.join('.'), 'info');
      visit(inner, own, Array.isArray(value) ? table : tableOf(studio, name, table));
    }
  };
  const [, resource = ''] = /\/api\/(\w+)/.exec(url) ?? [];
  visit(answer?.body, [], tableOf(studio, resource, ''));
  return paths;
}

/** A part without a table of its own has the fields of what it is in. */
function tableOf(studio: Studio, name: string, around: string): string {
  return name === '_embedded' ? around : (studio.pages.value.tables[name] ?? name) || around;
}
