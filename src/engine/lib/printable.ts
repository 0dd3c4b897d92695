/**
 * Characters that a terminal or an editor obeys: the control characters C0, DEL and C1, line and paragraph separators, and
 * those that change the direction of text. https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
 */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Returns a text on one line that controls no terminal: each control character becomes the replacement. */
export function printable(text: string, replacement = '?'): string {
  return text.replaceAll(controls, replacement);
}

/** Returns a text with its control characters as JSON has them, `\u202e`. Within a text of JSON, the value stays the same. */
export function escapeControls(text: string): string {
  return text.replaceAll(controls, unicodeEscape);
}

/** Returns the control characters of a URL as percent-encoded UTF-8. */
export function encodeControls(url: string): string {
  return url.replaceAll(controls, encodeURIComponent);
}

/** Escapes text for use in markup and attributes. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function unicodeEscape(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
