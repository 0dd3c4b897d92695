/** A client of one session that adds records by number, and removes some. */
export interface Visitor {
  readonly name: string;
  /** The ids by the numbers of writes that were acknowledged. */
  readonly added: Map<number, number>;
  /** Numbers of writes whose responses say that they may have been performed, or that had none. */
  readonly uncertain: Set<number>;
  readonly removed: Set<number>;
  /** The numbers that a read has shown. */
  readonly shown: Set<number>;
  readonly wrong: string[];
}

export function newVisitor(name: string): Visitor {
  return {
    name,
    added: new Map(),
    uncertain: new Set(),
    removed: new Set(),
    shown: new Set(),
    wrong: [],
  };
}

/** Has nothing be certain that was written so far. */
export function doubt({ added, removed, uncertain, shown }: Visitor): void {
  for (const number of [...added.keys(), ...removed]) uncertain.add(number);
  for (const known of [added, removed, shown]) known.clear();
}

/** A record that a server shows. */
export interface Listed {
  readonly id: number;
  readonly name: string;
}

/** Returns what is wrong with what a server shows. */
export function compare(
  { added, removed, uncertain, shown }: Visitor,
  listed: readonly Listed[],
): string[] {
  const wrong: string[] = [];
  const numbers = listed.map((one) => Number(one.name.slice('write '.length)));
  for (const [at, number] of numbers.entries()) {
    if (numbers.indexOf(number) !== at) wrong.push(`${number} was performed twice`);
    if (removed.has(number)) wrong.push(`${number} came back`);
    if (!added.has(number) && !uncertain.has(number)) wrong.push(`${number} was never sent`);
  }
  for (const [number, id] of added) {
    const isThere = listed.some((one) => one.id === id && one.name === `write ${number}`);
    if (!isThere && !removed.has(number) && !uncertain.has(number)) wrong.push(`${number} is lost`);
  }
  for (const number of shown)
    if (!numbers.includes(number)) wrong.push(`${number} was shown, and is gone`);
  for (const number of numbers) shown.add(number);
  if (new Set(added.values()).size < added.size) wrong.push('an id was given twice');
  return wrong;
}
