import { createHash } from 'node:crypto';
import {
  applyDifference,
  differenceOfOffice,
  type BackOfficeDifference,
} from '../../office/difference.ts';
import type { AnyScenario, BackOffice } from '../../office/open-back-office.ts';
import { builtInScenario, builtInScenarios } from '../../scenario/built-in.ts';
import type { ReadyScenario } from '../../scenario/scenario.ts';

/** A session as a store has it. */
type Saved =
  | {
      /** The program and its flags that decide how a scenario starts. */
      readonly program: string;
      /** Tells scenarios of one name apart. */
      readonly scenario: string;
      /** When the session was opened and when it was saved, in milliseconds since 1970. */
      readonly opened: number;
      readonly saved: number;
      readonly office: BackOfficeDifference;
    }
  | { readonly ended: string };

/** Converts sessions into text and back. */
export class SessionTexts {
  readonly #program: string;
  readonly #find: (name: string) => ReadyScenario;
  readonly #hashes = new WeakMap<ReadyScenario, string>();

  /**
   * @param program the version of the program and what else decides how a scenario starts
   * @param find returns the scenario of a name; throws if there is none
   */
  constructor(program: string, find: (name: string) => ReadyScenario) {
    this.#program = program;
    this.#find = find;
  }

  /** @param age how long ago the session was opened, in milliseconds */
  write(office: BackOffice, age: number): string {
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
    return JSON.stringify({ ended: reason } satisfies Saved);
  }

  /** Whether a text is one of `writeEnd`. */
  isEnd(text: string): boolean {
    return text.startsWith('{"ended":');
  }

  /**
   * Restores a session.
   *
   * @param open opens its back office
   * @returns why it begins anew, if it does; then nothing was opened, or what was opened is to be removed
   */
  read(text: string, open: (age: number) => BackOffice): string | undefined {
    let saved: Saved;
    try {
      saved = JSON.parse(text) as Saved;
    } catch {
      return 'what was saved of it cannot be read';
    }
    if ('ended' in saved) return saved.ended;
    const { scenario } = saved.office.start;
    if (saved.program !== this.#program) return 'it was saved by another version of the server';
    try {
      if (this.#hashOf(this.#find(scenario)) !== saved.scenario) {
        return `the scenario ${scenario} has changed`;
      }
      const now = Date.now();
      const find = (name: string): AnyScenario => this.#find(name);
      applyDifference(open(now - saved.opened), saved.office, find, now - saved.saved);
      return undefined;
    } catch (error) {
      return `it cannot be restored: ${(error as Error).message.replace(/\.$/, '')}`;
    }
  }

  /** Built-in scenarios change with the program only. */
  #hashOf(scenario: ReadyScenario): string {
    const known = this.#hashes.get(scenario);
    if (known !== undefined) return known;
    const { name } = scenario;
    const isBuiltIn =
      builtInScenarios.some((one) => one === name) && builtInScenario(name) === scenario;
    const hash = isBuiltIn ? name : hashOf(scenario);
    this.#hashes.set(scenario, hash);
    return hash;
  }
}

function hashOf({ data, ...scenario }: ReadyScenario): string {
  const text = JSON.stringify([scenario, [...data]]);
  return createHash('sha1').update(text).digest('base64url');
}
