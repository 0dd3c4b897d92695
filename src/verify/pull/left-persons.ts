import type { Anonymised } from './anonymise.ts';
import { personForm, readingsOf } from './person-forms.ts';
import { lowerWords } from './person-terms.ts';

/** Returns where a text that stays looks as if it were about a person, as `products 3, description: an e-mail address`. */
export function leftPersons({ terms, staying }: Anonymised): string[] {
  const ordinary = new Set(
    staying.flatMap(({ text }) => (terms.hasTerm(text) ? [] : lowerWords(text))),
  );
  const found = staying.flatMap(({ definition, record, field, text, kind }) => {
    const isCode = kind === 'code';
    const readings = readingsOf(text);
    const form =
      readings.map((one) => personForm(one, isCode)).find((one) => one !== undefined) ??
      (readings.some((one) => (isCode ? terms.hasTerm(one) : terms.isIn(one, ordinary)))
        ? 'a text that is replaced elsewhere'
        : undefined);
    return form === undefined
      ? []
      : [`${definition.name} ${String(record['id'])}, ${field}: ${form}`];
  });
  return [...new Set(found)];
}
