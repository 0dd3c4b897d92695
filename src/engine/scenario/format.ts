import * as z from 'zod';
import { weatherNames } from '../faults/weather.ts';
import { lazyStrictObject } from '../lib/lazy-object.ts';
import { Id, Timestamp } from '../lib/fields.ts';
import { RestSettings } from '../rest/endpoint.ts';
import { definitionsByName, type Definitions } from '../store/database.ts';
import { recordsFormat } from './data.ts';
import { documentTexts } from '../lib/document-texts.ts';

/** Creates the schema of all settings of an API: its own among those that every API has. */
export function settingsFormat<Shape extends z.ZodRawShape>(own: Shape) {
  return z.strictObject({
    ...RestSettings.shape,
    ...own,
    journalSize: z
      .int()
      .min(0)
      .max(100_000)
      .default(500)
      .describe(
        'Maximum number of journal entries, fewer if they are large; 0 turns the journal off',
      ),
  });
}

const Records = z.array(z.looseObject({ id: Id }));

export const TableChanges = lazyStrictObject(() => ({
  next_id: z.int().positive().describe('The id that the next new record gets'),
  rows: Records.optional().describe('Records that are new or have changed, with all fields'),
  gone: Records.optional().describe('Records that were deleted and are still referred to'),
  removed: z.array(Id).optional().describe('Ids of records that were removed'),
}));

/** The changes after a scenario was set up, by table. */
function scenarioChanges(tables: Definitions) {
  return lazyStrictObject(() => ({
    since: Timestamp.describe('When the scenario that is extended is set up'),
    tables: z.partialRecord(z.enum([...definitionsByName(tables).keys()]), TableChanges.optional()),
  }));
}
export type ScenarioChanges = z.output<ReturnType<typeof scenarioChanges>>;

/** The parts of an API's scenarios. */
interface FormatParts<
  SettingsShape extends z.ZodRawShape,
  Name extends z.ZodType,
  Data extends z.ZodType,
  Parts extends z.ZodRawShape,
  ScriptRule extends z.ZodType,
  Fault extends z.ZodType,
> {
  readonly tables: Definitions;
  readonly settings: z.ZodObject<SettingsShape, z.core.$strict>;
  /** The name of a scenario to extend. */
  readonly name: Name;
  /** Records by table. */
  readonly data: Data;
  /** Fields in addition to those of every API, such as orders to create. */
  readonly parts: () => Parts;
  readonly script: ScriptRule;
  readonly fault: Fault;
}

/** Creates the format of the scenarios of an API. */
export function scenarioFormat<
  SettingsShape extends z.ZodRawShape,
  Name extends z.ZodType,
  Data extends z.ZodType,
  Parts extends z.ZodRawShape,
  ScriptRule extends z.ZodType,
  Fault extends z.ZodType,
>({
  tables,
  settings,
  name,
  data,
  parts,
  script,
  fault,
}: FormatParts<SettingsShape, Name, Data, Parts, ScriptRule, Fault>) {
  return lazyStrictObject(() => ({
    $schema: z.string().optional(),
    name: z.string().min(1).describe('Name of the scenario, as in `--scenario sale`'),
    description: z.string().describe('Summary of the situation that the scenario sets up'),
    extends: name
      .optional()
      .describe(
        'Scenario to extend: its name, or the path of its file relative to this one. Fields that are unset keep its values. Settings are merged one by one, records table by table. Its `orders` and its `generate` use its settings',
      ),
    seed: z.int().default(1).describe('Seed of passwords, tokens and generated data'),
    now: Timestamp.default('2026-03-02T09:00:00+0000').describe('Start time of the clock'),
    settings: optional(settings.partial()).describe(
      'Settings that differ from the defaults. They apply to the `orders` and the `generate` of this scenario, and to everything from `now` on',
    ),
    data: optional(data).describe(
      'Records by table: inline, or the path of a JSON file relative to the scenario',
    ),
    ...parts(),
    script: z.array(script).default([]).describe(documentTexts.scenarioScript),
    faults: z
      .array(fault)
      .default([])
      .describe('Faults from `now` on: errors, slow responses, dropped connections, rate limits'),
    weather: z
      .enum(weatherNames)
      .optional()
      .describe(
        'Named faults before those of `faults`, such as a slow network: https://backlot-dev.github.io/backlot/faults#weather',
      ),
    changes: scenarioChanges(tables)
      .optional()
      .describe(
        'What a history changed: an export of the history has it. The scenario that is extended is set up, then its records change',
      ),
  }));
}

/** Returns a format of scenarios for an API with other tables. */
export function extendedScenario(
  format: z.ZodObject,
  tables: Definitions,
  fault: z.ZodType,
): z.ZodObject {
  return lazyStrictObject(() => {
    const shape: z.ZodRawShape = format.shape;
    return {
      ...shape,
      data: withMetaOf(shape['data'], optional(recordsFormat(tables))),
      changes: withMetaOf(shape['changes'], scenarioChanges(tables).optional()),
      faults: withMetaOf(shape['faults'], z.array(fault).default([])),
    };
  });
}

function withMetaOf(from: z.core.$ZodType | undefined, schema: z.ZodType): z.ZodType {
  const meta = from && z.globalRegistry.get(from);
  return meta === undefined ? schema : schema.meta(meta);
}

/** Makes a schema of an object without required fields optional: `{}` is its default. */
function optional<Schema extends z.ZodType>(schema: Schema): z.ZodDefault<Schema> {
  return (schema as z.ZodType).default({}) as z.ZodDefault<Schema>;
}
