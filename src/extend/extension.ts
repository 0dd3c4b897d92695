import type { Fields } from './field-set.ts';
import type { ResourceOptions, Rule } from './resource.ts';

/** What an extension adds to an API. */
export interface Extension {
  /** Where clients find it: `/api/v1`, or an empty text for none (default: as the API). */
  readonly path?: string;
  /** Fields of tables that the API has, by the key of the table: `users`, `stockLocations`. */
  readonly fields?: Readonly<Record<string, Fields>>;
  /** Tables of its own with their endpoints, by key. */
  readonly resources?: Readonly<Record<string, ResourceOptions>>;
  /** Rules by the step, or by method and path as in the documents of the API: `purchase`, `POST /api/users/`. */
  readonly rules?: Readonly<Record<string, Rule>>;
  /** Records and settings of built-in scenarios, and scenarios of its own, by name. */
  readonly scenarios?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
