const words =
  /(?<!\d)(\d+)\s*(w(?:eeks?)?|d(?:ays?)?|h(?:ours?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)(?![a-z])/gi;

/** Reads a duration as a person writes it, `+1 day` or `-2h 30 min`, or in ISO 8601; undefined for other text. */
export function parseDuration(text: string): string | undefined {
  const trimmed = text.trim();
  const minus = trimmed.startsWith('-') ? '-' : '';
  const rest = trimmed.replace(/^[+-]/, '').trimStart();
  if (/^P(?=.)[\dYMWDTHS.]*$/i.test(rest)) return `${minus}${rest.toUpperCase()}`;
  const amounts = new Map<string, number>();
  for (const [, amount, word = ''] of rest.matchAll(words)) {
    const letter = word.charAt(0).toLowerCase();
    // Weeks cannot stand beside other units in ISO 8601.
    const [unit, times]: [string, number] = letter === 'w' ? ['d', 7] : [letter, 1];
    amounts.set(unit, (amounts.get(unit) ?? 0) + Number(amount) * times);
  }
  const [d = 0, h = 0, m = 0, s = 0] = ['d', 'h', 'm', 's'].map((unit) => amounts.get(unit));
  if (d + h + m + s === 0 || /[^\s,]/.test(rest.replaceAll(words, ''))) return undefined;
  return `${minus}P${d}DT${h}H${m}M${s}S`;
}

/** Says when a date-time is, seen from another one: `in 1 h 17 min`, `2 d 3 h ago`. */
export function timeTo(from: string, to: string): string {
  const [start = 0, end = 0] = [from, to].map((at) => Date.parse(at.replace('+0000', 'Z')));
  const minutes = Math.round(Math.abs(end - start) / 60_000);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  const short = hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
  const text = days > 0 ? `${days} d ${hours} h` : short;
  return end < start ? `${text} ago` : `in ${text}`;
}
