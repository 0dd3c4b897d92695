import { accessSync, constants, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { JsonLimits } from '../engine/lib/json-limits.ts';
import { printable } from '../engine/lib/printable.ts';
import { thrownMessage } from '../engine/lib/thrown.ts';
import { readForeignJson } from '../mounts/node/read-file.ts';
import { UsageError } from './values.ts';

/** Checks, before long work, that its result can be written. @throws UsageError */
export function assertWritable(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    accessSync(dirname(path), constants.W_OK);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
      throw new Error('it is a folder. Name a file in it');
  } catch (error) {
    throw new UsageError(`Cannot write ${path}: ${printable(thrownMessage(error))}.`);
  }
}

/** Replaces a file at once, because another process may read it at the same time. */
export function writeWhole(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.tmp`, content);
  renameSync(`${path}.tmp`, path);
}

/** Reads a file of JSON that a command line names. @throws UsageError */
export function readJsonFile(path: string, limits: JsonLimits): unknown {
  try {
    return readForeignJson(path, limits);
  } catch (error) {
    throw cannotRead(path, error);
  }
}

/** Returns the error of a command line that names what cannot be read, with the first line of the reason. */
export function cannotRead(name: string, error: unknown): UsageError {
  const [reason = ''] = thrownMessage(error).split('\n', 1);
  return new UsageError(`Cannot read ${name}: ${printable(reason)}.`);
}
