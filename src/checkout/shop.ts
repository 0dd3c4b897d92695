import type { Clock } from '../lib/virtual-clock.ts';
import type { Database } from '../models/database.ts';
import type { ScriptRule } from '../models/script-rule.ts';
import type { CheckoutSettings } from './settings.ts';

/** What the checkout requires of a shop. */
export interface Shop {
  readonly db: Database;
  readonly clock: Clock;
  readonly settings: CheckoutSettings;
  /** The rules of the script that were applied; the reader empties it. */
  readonly firedRules: ScriptRule[];
  /** The rules that matched, with their counts; `storeCounts` empties it. */
  readonly matchedRules: ScriptRule[];
}
