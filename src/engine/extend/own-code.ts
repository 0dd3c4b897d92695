const code = Symbol('code');

/**
 * Returns a part of a definition with the code of such parts. Only the functions that make parts import their code, so bundlers
 * leave out that of parts which a page does not have.
 */
export function withCode<Part extends object>(part: Part, own: object): Part {
  return { ...part, [code]: own };
}

/** A part of a definition, which a function may have made. */
export type Coded<Code> = object & { readonly [code]?: Code };

/** Returns the code that a part has; undefined if no function made it. */
export function codeOf<Code>(part: Coded<Code> | undefined): Code | undefined {
  return part?.[code];
}
