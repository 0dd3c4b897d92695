import * as z from 'zod';
import { lazyStrictObject } from '../lib/lazy-object.ts';
import { CheckoutSettings } from '../checkout/shop.ts';
import { ResourceSettings } from '../resources/endpoint.ts';
import { RestSettings } from '../rest/endpoint.ts';
import { ScriptRuleInput } from '../checkout/script-rules.ts';
import { FaultRuleInput } from '../faults/fault-rules.ts';
import { isDuration } from '../lib/duration.ts';
import { definitions, tableNames } from '../models/database.ts';
import { Id, Timestamp } from '../models/fields.ts';
import { Data } from './data.ts';
import { OrderRecipe } from './play-orders.ts';

/** All settings of a scenario, with their defaults: the behaviour in which real deployments differ. */
export const Settings = z.strictObject({
  ...RestSettings.shape,
  ...CheckoutSettings.shape,
  ...ResourceSettings.shape,
  journalSize: z
    .int()
    .min(0)
    .max(100_000)
    .default(500)
    .describe(
      'Maximum number of journal entries, fewer if they are large; 0 turns the journal off',
    ),
});
export type Settings = z.output<typeof Settings>;

/** The settings that differ from their defaults. */
export type SettingsInput = z.input<typeof Settings>;

/** Maximum number of generated customers or orders. Limits the time and the memory of a start. */
const maxGenerated = 1_000_000;

/** The number of customers and orders to generate from the seed and the scenario's own catalogue. */
export const GenerateOptions = lazyStrictObject(() => ({
  orders: z
    .int()
    .min(0)
    .max(maxGenerated)
    .describe('Number of orders to generate, carts included, in addition to `orders`'),
  users: z
    .int()
    .min(0)
    .max(maxGenerated)
    .optional()
    .describe(
      'Number of customers to generate for these orders (default: one per eight orders); 0 uses the existing users',
    ),
  since: z
    .string()
    .refine(isDuration, 'expected an ISO 8601 duration such as P2Y')
    .refine((text) => !text.startsWith('-'), 'expected a duration without a minus')
    .default('P2Y')
    .describe('Time between the first generated order and `now`'),
}));
export type GenerateOptions = z.output<typeof GenerateOptions>;

/** The name of a built-in scenario. */
export type ScenarioName =
  | 'default'
  | 'empty'
  | 'filled-cart'
  | 'awaiting-shipping'
  | 'awaiting-payment'
  | 'awaiting-confirm'
  | 'awaiting-purchase'
  | 'declined-cards'
  | 'slow-payments'
  | 'backorders'
  | 'sale'
  | 'flaky'
  | 'large'
  | 'authenticated';

/** Editors complete the names of built-in scenarios; other text may be the path of a file. */
type NameOrFile = ScenarioName | (string & {});

const Records = z.array(z.looseObject({ id: Id }));

const TableChanges = lazyStrictObject(() => ({
  next_id: z.int().positive().describe('The id that the next new record gets'),
  rows: Records.optional().describe('Records that are new or have changed, with all fields'),
  gone: Records.optional().describe('Records that were deleted and are still referred to'),
  removed: z.array(Id).optional().describe('Ids of records that were removed'),
}));

/** What a history changed after a scenario was set up, by table. */
export const ScenarioChanges = lazyStrictObject(() => ({
  since: Timestamp.describe('When the scenario that is extended is set up'),
  tables: z.partialRecord(
    z.enum(tableNames.map((name) => definitions[name].name)),
    TableChanges.optional(),
  ),
}));
export type ScenarioChanges = z.output<typeof ScenarioChanges>;

/** The format of a scenario. */
export const Scenario = lazyStrictObject(() => ({
  $schema: z.string().optional(),
  name: z.string().min(1).describe('Name of the scenario, as in `--scenario sale`'),
  description: z.string().describe('Summary of the situation that the scenario sets up'),
  extends: (z.string().min(1) as z.ZodType<string, NameOrFile>)
    .optional()
    .describe(
      'Scenario to extend: its name, or the path of its file relative to this one. Fields that are unset keep its values. Settings are merged one by one, records table by table. Its `orders` and its `generate` use its settings',
    ),
  seed: z.int().default(1).describe('Seed of passwords, tokens and generated data'),
  now: Timestamp.default('2026-03-02T09:00:00+0000').describe('Start time of the clock'),
  settings: Settings.partial()
    .default({})
    .describe(
      'Settings that differ from the defaults. They apply to the `orders` and the `generate` of this scenario, and to everything from `now` on',
    ),
  data: Data.default({}).describe(
    'Records by table: inline, or the path of a JSON file relative to the scenario',
  ),
  orders: z
    .array(OrderRecipe)
    .default([])
    .describe('Carts and orders to create; the first one becomes order 1'),
  generate: GenerateOptions.optional().describe('Customers and orders to generate'),
  script: z
    .array(ScriptRuleInput)
    .default([])
    .describe('Checkout script from `now` on; the first rule that matches applies'),
  faults: z
    .array(FaultRuleInput)
    .default([])
    .describe('Faults from `now` on: errors, slow responses, dropped connections, rate limits'),
  changes: ScenarioChanges.optional().describe(
    'What a history changed: an export of the history has it. The scenario that is extended is set up, then its records change',
  ),
}));
export type Scenario = z.output<typeof Scenario>;

/** A scenario as users write it. Fields that are unset have their defaults. */
export type ScenarioInput = z.input<typeof Scenario>;

/**
 * A scenario as TypeScript sees an imported JSON file: the type of every text is `string`, and of every number `number`. The
 * back office that opens it validates them.
 */
export type ScenarioJson = Widened<ScenarioInput>;

type Widened<Value> = unknown extends Value
  ? Value
  : Value extends string
    ? string
    : Value extends number
      ? number
      : Value extends readonly (infer Item)[]
        ? readonly Widened<Item>[]
        : Value extends object
          ? { readonly [Name in keyof Value]: Widened<Value[Name]> | AbsentIn<Value, Name> }
          : Value;

/** TypeScript says of an object in a list that it has the fields of the others, undefined. */
type AbsentIn<Value, Name extends keyof Value> =
  object extends Pick<Value, Name> ? undefined : never;

/** A scenario with its records loaded, merged with the scenario that it extends. */
export interface ReadyScenario extends Omit<Scenario, 'data' | '$schema' | 'extends'> {
  readonly data: ReadonlyMap<string, readonly object[]>;
  /** If this scenario extends another one: the settings of the scenarios that `orders` and `generate` come from. */
  readonly pastSettings?: Readonly<Record<'orders' | 'generate', Scenario['settings']>>;
  /** The scenario that the `changes` begin with. */
  readonly unchanged?: ReadyScenario;
}

/**
 * Returns a scenario unchanged. In TypeScript, editors check and complete its fields. The back office that opens it
 * validates what types cannot express.
 */
export function defineScenario(scenario: ScenarioInput): ScenarioInput {
  return scenario;
}

/** Returns the JSON Schema of scenario files. Editors use it to complete and to validate them. */
export function scenarioJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(Scenario, { io: 'input' });
  return { $schema, title: 'A scenario of Backlot', ...schema };
}
