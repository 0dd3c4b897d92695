import * as z from 'zod';
import { jsonLimits } from '../engine/lib/json-limits.ts';
import { printable } from '../engine/lib/printable.ts';
import { counted, formatCount } from '../engine/lib/problem.ts';
import { thrownMessage } from '../engine/lib/thrown.ts';
import { readForeignJson } from '../mounts/node/read-file.ts';
import type { ChaosReport } from '../suite/chaos.ts';
import { faultNames } from '../suite/fault-names.ts';
import { mutators, type Mutator } from '../suite/mutations.ts';
import type { MutateReport } from '../suite/mutate.ts';
import type { Shard } from '../suite/shard.ts';
import { maxShards, UsageError } from './values.ts';
import { writeWhole } from './whole-file.ts';

const place = z.int().min(0);
const test = z.object({ id: z.string(), name: z.string(), file: z.string() });
const texts = z.array(z.string());

/** What reports of both commands have. */
const common = {
  tests: z.array(test),
  part: z.object({ plan: texts, places: z.array(place) }),
  red: z.array(test.extend({ reason: z.string() })),
  flaky: z.array(test),
  failing: z.array(test),
  errors: texts,
  untried: texts.optional(),
  ms: z.number(),
};

const mutantReport = z.object({
  ...common,
  subjects: z.array(z.object({ name: z.string(), body: z.unknown() })),
  assertions: z.enum(['document', 'playwright']).optional(),
  results: z.array(
    z.object({
      id: z.string(),
      subject: z.string(),
      mutation: z.object({
        path: texts,
        mutator: z.enum(Object.keys(mutators) as [Mutator, ...Mutator[]]),
      }),
      text: z.string(),
      isAllowed: z.boolean().optional(),
      at: z.object({ file: z.string(), line: z.int().min(1) }).optional(),
      value: z.unknown().optional(),
      tests: texts,
      status: z.enum([
        'Killed',
        'Survived',
        'Timeout',
        'NoCoverage',
        'RuntimeError',
        'Pending',
        'Ignored',
      ]),
      by: test.optional(),
      reason: z.string().optional(),
      isShown: z.boolean().optional(),
      gone: texts,
      telling: z.string().optional(),
    }),
  ),
});

const call = z.object({ endpoint: z.string(), nth: z.int().min(1) });
const cell = {
  id: z.string(),
  test,
  row: place,
  verdict: z
    .object({
      tone: z.enum(['red', 'yellow', 'green', 'grey']),
      reason: z.string(),
      before: z.string().optional(),
      after: z.string().optional(),
      trace: z.string().optional(),
    })
    .optional(),
};
const faultCell = call.extend({ ...cell, fault: z.enum(faultNames), isOutside: z.boolean() });
const raceCell = z
  .object({ ...cell, order: z.array(call) })
  .transform((one) => ({ ...one, recorded: undefined }));

const cellReport = z.object({
  ...common,
  failingCalls: z.array(call.extend({ test })),
  results: z.array(z.union([faultCell, raceCell])),
});

const head = {
  version: z.literal(1),
  shard: z.object({ index: z.int().min(1), total: z.int().min(1).max(maxShards) }),
  /** The words of the command that ran the tests. */
  command: texts,
};

const shardFile = z.discriminatedUnion('backlot', [
  z.object({ backlot: z.literal('mutate shard'), ...head, report: mutantReport }),
  z.object({ backlot: z.literal('chaos shard'), ...head, report: cellReport }),
]);

/** The file of the report of a shard. */
export type ShardFile =
  | (ShardHead & { readonly backlot: 'mutate shard'; readonly report: MutateReport })
  | (ShardHead & { readonly backlot: 'chaos shard'; readonly report: ChaosReport });

interface ShardHead {
  readonly version: 1;
  readonly shard: Shard;
  readonly command: readonly string[];
}

/** Writes the report of a shard, without what only the run itself needs. */
export function writeShard(content: ShardFile, files: readonly string[]): void {
  for (const file of files) writeWhole(file, `${JSON.stringify(shardFile.parse(content))}\n`);
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
  let content: unknown;
  try {
    content = readForeignJson(file, jsonLimits.trace);
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${printable(thrownMessage(error))}.`);
  }
  const parsed = shardFile.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new UsageError(
    `${file} is no report of a shard, as mutate and chaos write it with --shard 1/4 --out ${file}.`,
  );
}
