/** The names of attributes that stand in front of their texts, and of states of a control, which say nothing. */
const unsaid = /^(value|href|src|checked|disabled|busy) /;

/** What code shows by mistake. */
const rubbish = /\b(undefined|null|NaN|Invalid Date)\b|\[object \w+\]/;

const failure =
  /\b(errors?|fail(s|ed|ures?)?|wrong|could(n.t| not)|can(not|.t| not)|unable|not (found|available|allowed)|denied|forbidden|unauthori[sz]ed|unavailable|try again|offline|invalid|sorry|oops|problem|lost|fehler|fehlgeschlagen|erreur|échec|errore|falló|erro)\b|错误|失败|エラー|失敗|ошибка/i;

const waiting =
  /^(please wait|(loading|saving|sending|submitting|processing|fetching|updating|deleting|searching|working)\b)|…$|\.\.\.$/i;

/** Whether a text says that something went wrong. */
export function saysFailure(text: string): boolean {
  return !unsaid.test(text) && failure.test(text);
}

/** Whether a text says that the page waits, and nothing else. */
export function saysWaiting(text: string): boolean {
  return waiting.test(text) && !failure.test(text);
}

/** Whether a text shows a value that is missing: `Total: undefined`. */
export function isRubbish(text: string): boolean {
  return rubbish.test(text);
}

/**
 * Whether a text that is new under a fault may tell a user what happened: it has words, and is more than a text of the right page
 * with another value or without one.
 *
 * @param right what the page shows without the fault
 */
export function isMessage(text: string, right: readonly string[]): boolean {
  if (unsaid.test(text) || isRubbish(text) || saysWaiting(text)) return false;
  const words = wordsOf(text);
  return (
    words.length > 0 && (failure.test(text) || !right.some((one) => isPartOf(words, wordsOf(one))))
  );
}

/** Returns the words and signs of a text, without numbers; none if it has no word. */
function wordsOf(text: string): readonly string[] {
  const all = text.match(/\p{L}[\p{L}\p{M}\p{N}]*|[^\s\p{N}]/gu) ?? [];
  return /\p{L}/u.test(text) ? all : [];
}

/** Whether a text has all words of another one, in their order. */
function isPartOf(words: readonly string[], whole: readonly string[]): boolean {
  let at = -1;
  return words.every((word) => {
    at = whole.indexOf(word, at + 1);
    return at !== -1;
  });
}
