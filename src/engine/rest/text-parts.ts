/** A JSON text that many responses contain, such as that of a product in the items of orders. */
export class SharedText {
  readonly text: string;
  #bytes: Uint8Array | undefined;
  #value: unknown;

  constructor(text: string) {
    this.text = text;
  }

  /** The text in UTF-8, encoded once. */
  get bytes(): Uint8Array {
    return (this.#bytes ??= new TextEncoder().encode(this.text));
  }

  /** The value of the text, parsed once. */
  get value(): unknown {
    this.#value ??= JSON.parse(this.text);
    return this.#value;
  }
}

/** A JSON text in parts, in order. */
export type TextParts = readonly (string | SharedText)[];

/** A list inside a record. Where the record itself is in a list, it is empty. */
export class DetailText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Joins the parts of a text. */
export function joinParts(parts: TextParts): string {
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : part.text;
  return text;
}
