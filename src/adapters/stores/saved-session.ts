import * as z from 'zod';
import {
  applyDifference,
  differenceOfOffice,
  type BackOfficeDifference,
} from '../../office/difference.ts';
import type { AnyScenario, BackOffice } from '../../office/open-back-office.ts';
import { Problem } from '../../lib/problem.ts';
import { endText } from './ended.ts';
import { tokenOf } from '../../lib/pseudo-random.ts';
import { isBuiltIn } from '../../scenario/built-in.ts';
import type { ReadyScenario } from '../../scenario/scenario.ts';

/** A session as a store has it. Its `office` is what `differenceOfOffice` returned. */
const Saved = z.union([
  z.object({ ended: z.string() }),
  z.object({
    /** The program and its flags that decide how a scenario starts. */
    program: z.string(),
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

/** The parts of a back office that are saved. */
export interface SavedOffice extends Pick<BackOffice, 'shop' | 'scenario'> {
  readonly snapshots: Pick<BackOffice['snapshots'], 'list'>;
}

/** Converts sessions into text and back. */
export class SessionTexts {
  readonly #program: string;
  readonly #find: (name: string) => ReadyScenario;
  readonly #otherProgram: string;
  readonly #hashes = new WeakMap<ReadyScenario, string>();

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

  /** @param age how long ago the session was opened, in milliseconds */
  write(office: SavedOffice, age: number): string {
    const saved = Date.now();
    return JSON.stringify({
      program: this.#program,
      scenario: this.#hashOf(office.scenario),
      opened: Math.round(saved - age),
      saved,
      office: differenceOfOffice(office),
    } satisfies Saved);
  }

  /** Returns the text for a session that has ended, so that its client learns why. */
  writeEnd(reason: string): string {
    return endText(reason);
  }

  /** Whether a text is one of `writeEnd`. */
  isEnd(text: string): boolean {
    return text.startsWith('{"ended":');
  }

  /**
   * Restores a session.
   *
   * @param open opens its back office
   * @param isTicking whether a ticking clock has advanced since the session was saved
   * @returns why it begins anew, if it does; then nothing was opened, or what was opened is to be removed
   */
  read(text: string, open: (age: number) => BackOffice, isTicking = true): Refusal | undefined {
    const saved = parseSaved(text);
    if (saved === undefined) return { reason: unreadable };
    if ('ended' in saved) return { reason: headerText(saved.ended) };
    if (saved.program !== this.#program) return { reason: this.#otherProgram };
    try {
      const { scenario } = saved.office.start;
      if (this.#hashOf(this.#find(scenario)) !== saved.scenario) {
        return { reason: headerText(`the scenario ${scenario} has changed`) };
      }
      const now = Date.now();
      const find = (name: string): AnyScenario => this.#find(name);
      const passed = isTicking ? now - saved.saved : 0;
      applyDifference(open(now - saved.opened), saved.office, find, passed);
      return undefined;
    } catch (error) {
      if (!(error instanceof Problem)) return { reason: unreadable, error };
      const message = error.message.replace(/\.$/, '');
      return { reason: headerText(`it cannot be restored: ${message}`), error };
    }
  }

  /** Built-in scenarios change with the program only. */
  #hashOf(scenario: ReadyScenario): string {
    const known = this.#hashes.get(scenario);
    if (known !== undefined) return known;
    const hash = isBuiltIn(scenario) ? scenario.name : hashOf(scenario);
    this.#hashes.set(scenario, hash);
    return hash;
  }
}

const unreadable = 'what was saved of it cannot be read';

/** A reason is sent in a header, which cannot have all characters. */
function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7E]/g, '?');
}

function parseSaved(text: string): Saved | undefined {
  try {
    return Saved.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function hashOf({ data, ...scenario }: ReadyScenario): string {
  const text = JSON.stringify([scenario, [...data]]);
  return tokenOf(0, text);
}
