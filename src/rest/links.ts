import type { ApiAnswer } from './message.ts';

/**
 * The same answer with links that lead to where the interface is mounted: `/s/ada/api/orders/3`. JSON escapes quotes in
 * texts, so only links look like links.
 *
 * @param prefix what stands in front of `/api`; empty where nothing does
 */
export function withLinks(answer: ApiAnswer, prefix: string): ApiAnswer {
  if (prefix === '' || answer.body === undefined) return answer;
  return { ...answer, body: answer.body.replaceAll('"href":"/', `"href":"${prefix}/`) };
}
