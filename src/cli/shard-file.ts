import * as z from 'zod';
import { jsonLimits } from '../engine/lib/json-limits.ts';
import { counted, formatCount } from '../engine/lib/problem.ts';
import type { ChaosReport } from '../suite/chaos.ts';
import type { MutateReport } from '../suite/mutate.ts';
import type { Shard } from '../suite/shard.ts';
import { maxShards, UsageError } from './values.ts';
import { readJsonFile, writeWhole } from './whole-file.ts';

const texts = z.array(z.string());
const test = z.looseObject({ name: z.string(), file: z.string() });
const mutant = { subject: z.string(), text: z.string(), status: z.string(), tests: texts };

/** What of a file is read without its command: the rest of its report is as this version of the program writes it. */
const ShardHead = z.object({
  backlot: z.enum(['mutate shard', 'chaos shard']),
  version: z.literal(1),
  shard: z.object({ index: z.int().min(1), total: z.int().min(1).max(maxShards) }),
  /** The words of the command that ran the tests. */
  command: texts.readonly(),
  report: z.looseObject({
    tests: z.array(test),
    part: z.object({ plan: texts, places: z.array(z.int().min(0)) }),
    results: z.array(
      z.union([
        z.looseObject({ id: z.string(), ...mutant }),
        z.looseObject({ id: z.string(), row: z.int().min(0), test }),
      ]),
    ),
    red: z.array(test),
    flaky: z.array(test),
    failing: z.array(test),
    errors: texts,
    ms: z.number(),
  }),
});

/** The file of the report of a shard. */
export type ShardFile = Omit<z.output<typeof ShardHead>, 'backlot' | 'report'> &
  (
    | { readonly backlot: 'mutate shard'; readonly report: MutateReport }
    | { readonly backlot: 'chaos shard'; readonly report: ChaosReport }
  );

/** Writes the report of a shard. */
export function writeShard(content: ShardFile, files: readonly string[]): void {
  for (const file of files) writeWhole(file, `${JSON.stringify(content)}\n`);
}

/** Says how much of a plan a shard has tried. */
export function shardText(
  { index, total }: Shard,
  { part: { plan, places }, ms }: MutateReport | ChaosReport,
): string {
  const number = `${formatCount(places.length)} of ${counted(plan.length, 'trial')}`;
  return `\nShard ${index}/${total}: ${number} in ${(ms / 1000).toFixed(1)} s. The score is that of all shards: npx backlot merge.`;
}

/** @throws UsageError for a file that is no report of a shard */
export function readShard(file: string): ShardFile {
  const content = readJsonFile(file, jsonLimits.trace);
  if (ShardHead.safeParse(content).success) return content as ShardFile;
  throw new UsageError(
    `${file} is no report of a shard, as mutate and chaos write it with --shard 1/4 --out ${file}.`,
  );
}
