const maker = Symbol('maker');

/** The function of `backlot/define` that makes a part of a definition. */
export type Maker = 'resource' | 'step' | 'fault';

/** Returns a part of a definition with a mark of the function that made it. */
export function madeBy<Part extends object>(name: Maker, part: Part): Part {
  return { ...part, [maker]: name };
}

/** Whether a function of `backlot/define` made a part of a definition. */
export function isMadeBy(name: Maker, part: object): boolean {
  return maker in part && part[maker] === name;
}
