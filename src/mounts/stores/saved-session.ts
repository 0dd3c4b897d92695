import * as z from 'zod';
import {
  applyDifference,
  differenceOfOffice,
  scenarioOf,
  type BackOfficeDifference,
  type SavedOffice,
} from '../../engine/office/difference.ts';
import type { AnyScenario, BackOffice } from '../../engine/office/open-back-office.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { reasonText } from '../../engine/sessions/replaced-api.ts';
import { definitionDigest, scenarioDigest } from '../../engine/office/definition-digest.ts';
import type { ReadyScenario } from '../../engine/scenario/scenario.ts';

/** A session as a store has it. Its `office` is what `differenceOfOffice` returned. */
const Saved = z.union([
  z.object({ ended: z.string() }),
  z.object({
    /** The program and its flags that decide how a scenario starts. */
    program: z.string(),
    /** Tells definitions of APIs apart. */
    definition: z.string().optional(),
    /** Tells scenarios of one name apart. */
    scenario: z.string(),
    /** When the session was opened and when it was saved, in milliseconds since 1970. */
    opened: z.number(),
    saved: z.number(),
    office: z.custom<BackOfficeDifference>((value) => typeof value === 'object' && value !== null),
  }),
]);

type Saved = z.output<typeof Saved>;

/** Why a session begins anew. */
export type Refusal =
  | { readonly reason: string }
  /** What was thrown when it was restored. */
  | { readonly reason: string; readonly error: unknown };

/** Converts sessions into text and back. */
export class SessionTexts {
  readonly #program: string;
  readonly #find: (name: string) => ReadyScenario;
  readonly #otherProgram: string;

  /**
   * @param program the version of the program and what else decides how a scenario starts
   * @param find returns the scenario of a name; throws if there is none
   * @param otherProgram why a session of another program begins anew
   */
  constructor(
    program: string,
    find: (name: string) => ReadyScenario,
    otherProgram = 'it was saved by another version of the server',
  ) {
    this.#program = program;
    this.#find = find;
    this.#otherProgram = otherProgram;
  }

  /**
   * @param age how long ago the session was opened, in milliseconds
   * @param saved the present time, in milliseconds since 1970
   */
  write(office: SavedOffice, age: number, saved = Date.now()): string {
    return JSON.stringify({
      program: this.#program,
      definition: definitionDigest(office.shop.api),
      scenario: scenarioDigest(scenarioOf(office.shop.start)),
      opened: Math.round(saved - age),
      saved,
      office: differenceOfOffice(office),
    } satisfies Saved);
  }

  /** Whether a text is one of `endText`. */
  isEnd(text: string): boolean {
    return text.startsWith('{"ended":');
  }

  /**
   * Restores a session.
   *
   * @param open opens its back office
   * @param how.isTicking whether a ticking clock has advanced since the session was saved (default: true)
   * @param how.now the present time, in milliseconds since 1970
   * @returns why it begins anew, if it does; then nothing was opened, or what was opened is to be removed
   */
  read(
    text: string,
    open: (age: number) => BackOffice,
    { isTicking = true, now = Date.now() }: { isTicking?: boolean; now?: number } = {},
  ): Refusal | undefined {
    const saved = parseSaved(text);
    if (saved === undefined) return { reason: unreadable };
    if ('ended' in saved) return { reason: reasonText(saved.ended) };
    if (saved.program !== this.#program) return { reason: this.#otherProgram };
    try {
      const { scenario: from } = saved.office.start;
      const scenario = typeof from === 'string' ? from : (from.extends ?? '');
      if (scenarioDigest(this.#find(scenario)) !== saved.scenario) {
        return { reason: reasonText(`the scenario ${scenario} has changed`) };
      }
      const find = (name: string): AnyScenario => this.#find(name);
      const passed = isTicking ? now - saved.saved : 0;
      const office = open(now - saved.opened);
      const isOther = definitionDigest(office.shop.api) !== saved.definition;
      applyDifference(office, saved.office, find, { passed, isOther });
      return undefined;
    } catch (error) {
      if (!(error instanceof Problem)) return { reason: unreadable, error };
      return { reason: reasonText(`it cannot be restored: ${error.message}`), error };
    }
  }
}

const unreadable = 'what was saved of it cannot be read';

function parseSaved(text: string): Saved | undefined {
  try {
    return Saved.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
