import type { Clock } from '../lib/virtual-clock.ts';
import type { Database } from '../models/database.ts';
import type { ScriptRule } from '../models/script-rule.ts';
import type { CheckoutSettings } from './settings.ts';

/** What the checkout works on. */
export interface Shop {
  readonly db: Database;
  readonly clock: Clock;
  readonly settings: CheckoutSettings;
  /** The rules of the script that acted since whoever reads it emptied it. */
  readonly firedRules: ScriptRule[];
  /** The rules whose match was met, as they were counted then; `keepCounts` empties it. */
  readonly matchedRules: ScriptRule[];
}
