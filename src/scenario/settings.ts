import * as z from 'zod';
import { CheckoutSettings } from '../checkout/settings.ts';
import { ResourceSettings } from '../resources/settings.ts';
import { RestSettings } from '../rest/settings.ts';

/** Every setting of a scenario: where real deployments differ, with the default that is used otherwise. */
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
      'How many requests the journal keeps at the most, fewer where there is no room for them; 0 for none',
    ),
});
export type Settings = z.output<typeof Settings>;

/** Settings that are given; the rest keep their defaults. */
export type SettingsInput = z.input<typeof Settings>;
