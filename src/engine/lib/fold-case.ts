/**
 * Returns a text as searches compare it, without regard to case. Each character is folded on its own, wherever it is in a word:
 * `ΟΔΥΣ` is a part of `ΟΔΥΣΣΕΥΣ`, and `σ` and `ς` are the same. So are `ß` and `SS`, and `i`, `I`, `İ` and `ı`.
 */
export function foldCase(text: string): string {
  // Some characters are the same in upper case only: ß and SS. Others are so in lower case only: ß and ẞ.
  return text
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i');
}
