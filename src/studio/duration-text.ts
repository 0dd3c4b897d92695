const units: Readonly<Record<string, readonly [prefix: string, letter: string]>> = {
  s: ['PT', 'S'],
  m: ['PT', 'M'],
  h: ['PT', 'H'],
  d: ['P', 'D'],
  w: ['P', 'W'],
};

/** Reads a duration as a person writes it, `+1 day` or `-2h 30 min`, or in ISO 8601; undefined for other text. */
export function parseDuration(text: string): string | undefined {
  const [, sign = '', rest = ''] = /^\s*([+-]?)\s*(.*?)\s*$/.exec(text) ?? [];
  const minus = sign === '-' ? '-' : '';
  if (/^P(?=.)[\dYMWDTHS.]*$/i.test(rest)) return `${minus}${rest.toUpperCase()}`;
  const parts = Array.from(rest.matchAll(/(\d+)\s*([a-z]+)/gi));
  if (parts.length === 0 || rest.replaceAll(/\d+\s*[a-z]+|\s|,|and/gi, '') !== '') return undefined;
  const found = parts.map(([, amount = '', word = '']) => ({ amount, unit: unitOf(word) }));
  if (found.some(({ unit }) => unit === undefined)) return undefined;
  if (found.length === 1 && found[0]?.unit === units['w']) return `${minus}P${found[0]?.amount}W`;
  return `${minus}${joined(found as Part[])}`;
}

interface Part {
  readonly amount: string;
  readonly unit: readonly [prefix: string, letter: string];
}

function unitOf(word: string): Part['unit'] | undefined {
  const names = ['seconds', 'secs', 'minutes', 'mins', 'hours', 'hrs', 'days', 'weeks'];
  const lower = word.toLowerCase();
  const isKnown =
    lower.length === 1 || names.some((name) => name === lower || name === `${lower}s`);
  return isKnown ? units[lower.charAt(0)] : undefined;
}

/** Weeks cannot stand beside other units in ISO 8601, so they become days. */
function joined(parts: readonly Part[]): string {
  const dates = parts.filter(({ unit: [prefix] }) => prefix === 'P');
  const times = parts.filter(({ unit: [prefix] }) => prefix === 'PT');
  const days = dates.map(({ amount, unit: [, letter] }) =>
    letter === 'W' ? `${Number(amount) * 7}D` : `${amount}D`,
  );
  const clock = times.map(({ amount, unit: [, letter] }) => `${amount}${letter}`);
  return `P${days.join('')}${clock.length > 0 ? `T${clock.join('')}` : ''}`;
}

/** Names the time from one date-time to another with its two greatest units: `1 h 17 min`. */
export function timeBetween(from: string, to: string): string {
  const seconds = Math.round((Date.parse(iso(to)) - Date.parse(iso(from))) / 1000);
  const rest = Math.abs(seconds);
  const amounts: readonly (readonly [amount: number, unit: string])[] = [
    [Math.floor(rest / 86_400), rest >= 172_800 ? 'days' : 'day'],
    [Math.floor((rest % 86_400) / 3600), 'h'],
    [Math.floor((rest % 3600) / 60), 'min'],
    [rest % 60, 's'],
  ];
  const first = amounts.findIndex(([amount]) => amount > 0);
  if (first === -1) return 'now';
  const shown = amounts.slice(first, first + 2).filter(([amount]) => amount > 0);
  return `${seconds < 0 ? '−' : ''}${shown.map(([amount, unit]) => `${amount} ${unit}`).join(' ')}`;
}

/** The store API writes `+0000`, which no browser has to read. */
function iso(text: string): string {
  return text.replace(/\+0000$/, 'Z');
}
