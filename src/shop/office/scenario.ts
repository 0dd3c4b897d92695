import * as z from 'zod';
import { lazyStrictObject } from '../../engine/lib/lazy-object.ts';
import { CheckoutSettings } from '../checkout/shop.ts';
import { ScriptRuleInput } from '../checkout/script-rules.ts';
import {
  faultInput,
  type FaultRuleInput as AnyFaultRuleInput,
} from '../../engine/faults/fault-rule.ts';
import { isDuration } from '../../engine/lib/duration.ts';
import type { Snake } from '../../engine/lib/names.ts';
import { definitions, type TableName } from '../models/database.ts';
import type { ScriptStep } from '../models/script-rule.ts';
import { ResourceSettings } from '../resources/endpoint.ts';
import { recordsFormat } from '../../engine/scenario/data.ts';
import { scenarioFormat, settingsFormat } from '../../engine/scenario/format.ts';
import { OrderRecipe } from './play-orders.ts';

/** All settings of a scenario, with their defaults: the behaviour in which real deployments differ. */
export const Settings = settingsFormat({ ...CheckoutSettings.shape, ...ResourceSettings.shape });
export type Settings = z.output<typeof Settings>;

/** The settings that differ from their defaults. */
export type SettingsInput = z.input<typeof Settings>;

/** Maximum number of generated customers or orders. Limits the time and the memory of a start. */
const maxGenerated = 100_000;

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

type Assigned = 'id' | 'created_at' | 'updated_at';
type Optional<Fields, Names> = Omit<Fields, Names & keyof Fields> &
  Partial<Pick<Fields, Names & keyof Fields>>;

/** A record in a scenario: the fields of its model. If it has no id or timestamps, the table assigns them. */
type RecordInput<Name extends TableName> = Optional<
  z.input<(typeof definitions)[Name]['schema']>,
  Assigned
>;

/** Records by table: inline, or the path of a JSON file relative to the scenario. */
type DataInput = { [Name in TableName as Snake<Name>]?: string | RecordInput<Name>[] };
type DataOutput = { [Name in Snake<TableName>]?: string | object[] };

/** A fault as a scenario or a client writes it. */
export type FaultRuleInput = AnyFaultRuleInput<ScriptStep>;

const BaseName: z.ZodType<string, NameOrFile> = z.string().min(1);

/** The format of a scenario. */
export const Scenario = scenarioFormat({
  tables: definitions,
  settings: Settings,
  name: BaseName,
  data: recordsFormat(definitions) as z.ZodType<DataOutput, DataInput>,
  parts: () => ({
    orders: z
      .array(OrderRecipe)
      .default([])
      .describe('Carts and orders to create; the first one becomes order 1'),
    generate: GenerateOptions.optional().describe('Customers and orders to generate'),
  }),
  script: ScriptRuleInput,
  fault: faultInput(definitions.faultRules),
});
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

/**
 * Returns a scenario unchanged. In TypeScript, editors check and complete its fields. The back office that opens it
 * validates what types cannot express.
 */
export function defineScenario(scenario: ScenarioInput): ScenarioInput {
  return scenario;
}
