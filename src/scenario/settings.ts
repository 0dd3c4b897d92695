import * as z from 'zod';
import { CheckoutSettings } from '../checkout/settings.ts';
import { ResourceSettings } from '../resources/settings.ts';
import { RestSettings } from '../rest/settings.ts';

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
