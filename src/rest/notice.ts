import type { ApiAnswer } from './message.ts';

export const noticeHeader = 'x-backlot-notice';

const maxNames = 10;
const maxNameLength = 60;

/** Adds a notice of the parameters of the query that were ignored. */
export function withIgnored(answer: ApiAnswer, names: readonly string[]): ApiAnswer {
  if (names.length === 0) return answer;
  const shown = names.slice(0, maxNames).map(shownName).join(', ');
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  const notice = `Ignored unknown query parameters: ${shown}${more}.`;
  return withHeaders(answer, { [noticeHeader]: notice });
}

/** Adds headers to an answer. A notice that it has already follows the added one. */
export function withHeaders(answer: ApiAnswer, added: ApiAnswer['headers'] | undefined): ApiAnswer {
  if (added === undefined) return answer;
  const headers = { ...answer.headers, ...added };
  const { [noticeHeader]: notice } = answer.headers;
  const { [noticeHeader]: addedNotice } = added;
  if (notice !== undefined && addedNotice !== undefined) {
    headers[noticeHeader] = `${addedNotice} ${notice}`;
  }
  return { ...answer, headers };
}

/** A name may be any text; a header takes only some of ASCII. */
function shownName(name: string): string {
  return encodeURIComponent(name.replaceAll('(proto)', '__proto__')).slice(0, maxNameLength);
}
