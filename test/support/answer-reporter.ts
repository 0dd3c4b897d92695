import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { keyOf, type RecordedAnswer, type RecordedMeta } from './recorded-answers.ts';

/** Where a run writes the distinct responses of its back offices, one in each line. */
export const recordedAnswersFile = join(import.meta.dirname, '../../coverage/answers.jsonl');

/** Has every test file record its responses, and writes the distinct ones. */
export class AnswerReporter implements Reporter {
  onInit({ projects }: Vitest): void {
    for (const { config } of projects) {
      config.setupFiles.push(join(import.meta.dirname, 'record-answers.ts'));
    }
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const distinct = new Map<string, RecordedAnswer>();
    for (const module of modules) {
      const { recordedAnswers = [] } = module.meta() as RecordedMeta;
      for (const answer of recordedAnswers) distinct.set(keyOf(answer), answer);
    }
    const lines = Array.from(distinct.values(), (answer) => JSON.stringify(answer));
    mkdirSync(join(recordedAnswersFile, '..'), { recursive: true });
    writeFileSync(recordedAnswersFile, lines.join('\n'));
    console.log(`${lines.length} distinct responses are in ${recordedAnswersFile}`);
  }
}
