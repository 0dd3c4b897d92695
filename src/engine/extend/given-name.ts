import { viewName } from './resource-parts.ts';

type InPascalCase<Words extends string> = Words extends `${infer First} ${infer Rest}`
  ? `${InPascalCase<First>}${InPascalCase<Rest>}`
  : Words extends `${infer First}_${infer Rest}`
    ? `${InPascalCase<First>}${InPascalCase<Rest>}`
    : Words extends `${infer First}-${infer Rest}`
      ? `${InPascalCase<First>}${InPascalCase<Rest>}`
      : Capitalize<Words>;

type Article<Word extends string> = Word extends `${'uni' | 'use' | 'eu'}${string}`
  ? 'a'
  : Word extends `${'a' | 'e' | 'i' | 'o' | 'u'}${string}`
    ? 'an'
    : 'a';

/** The name of the function that sets up a record: `wishlist` → `aWishlist`. */
export type GivenName<Singular extends string> =
  `${Article<Lowercase<Singular>>}${InPascalCase<Singular>}`;

export function givenName(singular: string): string {
  const article = /^(?!uni|use|eu)[aeiou]/i.test(singular) ? 'an' : 'a';
  return `${article}${viewName(singular)}`;
}
