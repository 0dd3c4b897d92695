import { existsSync } from 'node:fs';
import { jsonLimits } from '../engine/lib/json-limits.ts';
import { valueAt } from '../engine/lib/json-value.ts';
import { UsageError } from './values.ts';
import { assertWritable, readJsonFile, writeWhole } from './whole-file.ts';

/** The file of findings that are known. */
export class Baseline {
  readonly #file: string | undefined;
  readonly #command: string;
  readonly #known: ReadonlySet<string> | undefined;

  /** @throws UsageError for a file that is no baseline of the command */
  constructor(command: string, file: string | undefined) {
    this.#file = file;
    this.#command = command;
    if (file === undefined) return;
    assertWritable(file);
    if (existsSync(file)) this.#known = this.#read(file);
  }

  #read(file: string): ReadonlySet<string> {
    const content = readJsonFile(file, jsonLimits.report);
    const findings = valueAt(content, ['findings']);
    if (valueAt(content, ['backlot']) === this.#command && Array.isArray(findings))
      return new Set(findings.map(String));
    throw new UsageError(
      `Cannot read ${file}: it has no findings of ${this.#command}. Delete it, and the command writes it anew.`,
    );
  }

  has(id: string): boolean {
    return this.#known?.has(id) === true;
  }

  /**
   * Writes the file if it is not there.
   *
   * @param print receives a sentence about the file
   * @returns the exit code: 1 for findings that it does not have
   */
  close(ids: readonly string[], print: (line: string) => void = console.log): number {
    const added = ids.filter((id) => !this.has(id)).length;
    const file = this.#file;
    if (file === undefined || this.#known !== undefined) {
      if (file !== undefined)
        print(`${ids.length - added} findings are known by ${file}, ${added} are new.`);
      return added === 0 ? 0 : 1;
    }
    const content = { backlot: this.#command, version: 1, findings: ids };
    writeWhole(file, `${JSON.stringify(content, null, 2)}\n`);
    print(`${ids.length} findings are known from now on: ${file} was written.`);
    return 0;
  }
}
