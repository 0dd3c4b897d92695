/**
 * Compares a secret with what was sent, in a time that does not depend on where they differ. The core runs in browsers
 * too, which lack `crypto.timingSafeEqual`.
 */
export function isSameSecret(sent: string, secret: string): boolean {
  let difference = sent.length ^ secret.length;
  for (let at = 0; at < sent.length; at++) {
    difference |= sent.charCodeAt(at) ^ secret.charCodeAt(at % secret.length);
  }
  return difference === 0;
}
