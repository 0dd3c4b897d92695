import { expect, test } from 'vitest';
import { files, read } from '../support/tree.ts';

/** Forbidden words and the terms to use. */
const replaced: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bheed(s|ed)?\b/i, 'applyScript, applies'],
  [/\bdecide\(/, 'matchRule'],
  [/\bbringAbout\b/, 'settlePayment'],
  [/\bpassTime\b/, 'runDueEvents'],
  [/\btake(Addressing|Shipping|Payment|Confirm|Purchase)\b/, 'submit…'],
  [/\bdropAfter\b/, 'rollBackTo'],
  [/\bcharge\(/, 'replaceAdjustments'],
  [/\b(valueAll|revalue|followTotal)\b/, 'recalculate'],
  [/\b(Gift|gainsOf)\b/, 'BonusItem, promotionResult'],
  [/\b(against|whyNot)\(/, 'blockedBy'],
  [/\bcomeBack\b/, 'returnRow'],
  [/\bSettled\b/, 'ReadonlyConfiguration'],
  [/\bever\(/, 'getWithDeleted'],
  [/\baddFinished\b/, 'insertFrozen'],
  [/\bclass Recent\b|\bnew Recent\b/, 'LruCache'],
  [/\b(Stillness|Readings)\b/, 'ResponseCache'],
  [/\bremembering\b/, 'memoizeView'],
  [/\bByNumbers\b/, 'TupleMap'],
  [/\bclass Trace\b|\bHappened\b/, 'RecordedExchange'],
  [/\bIntervention\b/, 'FaultInjection'],
  [/\b(dueFaults|isMet)\b/, 'selectFaults, matches'],
  [/\bspoilt\b/, 'corrupted'],
  [/\bHeldAnswer\b|\bnew Holds\b|: Holds\b/, 'LongPoll, DeferredResponse'],
  [/\bwholeWork\b|: Whole\b/, 'Atomic'],
  [/\w+Door\b|mock's own doors|control plane/, 'control API, control endpoints, …Api'],
  [/\bcreateArranging\b|\.arrange\(/, 'requestUnobserved'],
  [/\bgoTo\(|\bbeginning\(/, 'restoreState, initialState'],
  [/\btakeAsSetUp\b|\bbaked?\b/i, 'preloadStart, prebuilt'],
  [/\b(heldRuleMistakes|danglingIn)\b/, 'invalidRules, brokenReferences'],
  [/\bSound</, 'PartiallyValid'],
  [/\bmost(?!Similar)[A-Z]\w+/, 'max…'],
  [/\broom(Alone|AmongOthers)\b/, 'budget'],
  [/\bmistakes?\b/i, 'issue'],
  [/\b(shipped|known)(Scenario|Scenarios)\b/, 'built-in'],
  [/\bas good as\b/, 'literal English'],
];

const texts = files().filter(
  (path) => /^(src|test|tools|docs|README\.md)/.test(path) && !path.endsWith('words.test.ts'),
);

test.each(replaced)('no file says %s; the word is %s', (word) => {
  const found = texts.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, at) => (word.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
