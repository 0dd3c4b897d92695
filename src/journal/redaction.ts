import { isSecretName } from './secret-names.ts';
import { maskCardNumbers } from './card-numbers.ts';
import { mask, redactCardNumber, redactUrl } from './shown-text.ts';

/**
 * The parameters of a body, as they may be kept: without passwords and tokens, and of cards the last four digits. If
 * there are none, they are what was sent itself.
 */
export function redactParameters(
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return hasSecret(sent) ? maskedTree(sent, false) : sent;
}

function hasSecret(value: unknown): boolean {
  if (typeof value === 'string') return maybeSecret(value) && redactUrl(value) !== value;
  if (typeof value === 'number') return shownAmount(value) !== value;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasSecret);
  const tree = value as Readonly<Record<string, unknown>>;
  return Object.keys(tree).some(
    (name) =>
      name === 'number' ||
      isSecretName(name) ||
      hasSecret(tree[name]) ||
      maskCardNumbers(name) !== name,
  );
}

/** Card numbers have many digits, and named secrets a mark between name and value. Most texts have neither. */
function maybeSecret(text: string): boolean {
  return text.length > 3 && /[=:@]|\d(?:\D{0,9}\d){12}/.test(text);
}

/** A response as it may be shown: its tokens and what stands for passwords hidden. What is wrong with them is not. */
export function redactResponse(value: unknown): unknown {
  if (typeof value === 'string') return redactUrl(value);
  if (typeof value === 'number') return shownAmount(value);
  if (Array.isArray(value)) return value.map(redactResponse);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]: [string, unknown]) => [
      maskCardNumbers(name),
      isSecretName(name) && typeof one !== 'object' ? masked(one, true) : redactResponse(one),
    ]),
  );
}

/** The headers of a request, or of a response. */
export function redactHeaders(
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    kept[maskCardNumbers(name)] = isSecretName(name) ? mask : redactUrl(value);
  }
  return kept;
}

/** Whatever is below a secret name is secret. */
function masked(value: unknown, secret: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => masked(one, secret));
  if (typeof value === 'object' && value !== null) return maskedTree(value, secret);
  if (secret) return value === '' || value === null || value === undefined ? value : mask;
  if (typeof value === 'string') return redactUrl(value);
  return typeof value === 'number' ? shownAmount(value) : value;
}

function maskedTree(tree: object, secret: boolean): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]: [string, unknown]) => [
      maskCardNumbers(name),
      name === 'number' ? maskedNumber(value) : masked(value, secret || isSecretName(name)),
    ]),
  );
}

function maskedNumber(value: unknown): unknown {
  if (value === '' || value === null || value === undefined) return value;
  if (typeof value !== 'string' && typeof value !== 'number') return masked(value, true);
  return redactCardNumber(String(value));
}

function shownAmount(value: number): unknown {
  const text = String(value);
  if (text.length < 13) return value;
  // Beyond 2^53 the digits are not those that were sent, but begin as they do.
  if (!Number.isSafeInteger(value) && Math.abs(value) > 2 ** 53) return mask;
  const shown = maskCardNumbers(text);
  return shown === text ? value : shown;
}
