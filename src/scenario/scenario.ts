import * as z from 'zod';
import { ScriptRuleInput } from '../checkout/script-rules.ts';
import { Timestamp } from '../models/fields.ts';
import { Data } from './data.ts';
import { FaultRuleInput } from '../faults/fault-rules.ts';
import { Generation } from './generation.ts';
import { OrderRecipe } from './order-recipe.ts';
import { Settings } from './settings.ts';

/** What a scenario may say. */
export const Scenario = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().min(1).describe('What it is called for by: `--scenario sale`'),
  description: z.string().describe('The situation that it is, in a sentence'),
  extends: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Another scenario, by its name or by the path of its file relative to this one. What is not said here is as it is there; settings are taken one by one, and records table by table. Its `orders` and its `generate` keep its settings',
    ),
  seed: z.int().default(1).describe('What passwords, tokens and generated data are computed from'),
  now: Timestamp.default('2026-03-02T09:00:00+0000').describe('The moment at which it starts'),
  settings: Settings.partial()
    .default({})
    .describe(
      'Where real deployments differ; what is not said has its default. They apply to the `orders` and to `generate` of this scenario, and to everything from `now` on',
    ),
  data: Data.default({}).describe(
    'Records by table: in place, or a JSON file, its path relative to the scenario',
  ),
  orders: z
    .array(OrderRecipe)
    .default([])
    .describe(
      'Carts and orders that are taken through the checkout; the first one becomes order 1',
    ),
  generate: Generation.optional().describe('Customers and orders in numbers'),
  script: z
    .array(ScriptRuleInput)
    .default([])
    .describe(
      'What the shop does from `now` on, at which step and how often; the first rule that fits applies',
    ),
  faults: z
    .array(FaultRuleInput)
    .default([])
    .describe(
      'What goes wrong from `now` on: errors, slow answers, dropped connections, rate limits',
    ),
});
export type Scenario = z.output<typeof Scenario>;

/** A scenario as it is written; what is not said has its default. */
export type ScenarioInput = z.input<typeof Scenario>;

/** A scenario whose records are all at hand, together with what it takes over from the one that it extends. */
export interface ReadyScenario extends Omit<Scenario, 'data' | '$schema' | 'extends'> {
  readonly data: ReadonlyMap<string, readonly object[]>;
  /** The settings of the scenarios that `orders` and `generate` come from, if this one extends another. */
  readonly pastSettings?: Readonly<Record<'orders' | 'generate', Scenario['settings']>>;
}

/**
 * A scenario in TypeScript: whatever it says is checked and completed as it is typed. A back office that opens it
 * checks what types cannot say.
 */
export function defineScenario(scenario: ScenarioInput): ScenarioInput {
  return scenario;
}
