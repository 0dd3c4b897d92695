export class ApiError extends Error {
  fields = {};
}

/** Calls the store. @throws ApiError */
export async function call(path, method = 'GET', body = undefined) {
  const response = await fetch(new URL(`/api${path}`, location.origin), {
    method,
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => undefined);
  if (response === undefined) throw new ApiError('The store cannot be reached.');
  const answer = await response.json().catch(() => undefined);
  if (answer === undefined) throw new ApiError('The response of the store cannot be read.');
  if (response.ok) return answer;
  throw Object.assign(new ApiError(answer.message), { fields: messagesOf(answer.errors) });
}

/** Returns the messages of an error tree by the name of their field. */
export function messagesOf(errors) {
  const children = Object.entries(errors?.children ?? {});
  return Object.assign(
    {},
    ...children.map(([name, child]) => ({
      ...(child.errors && { [name]: child.errors.join(' ') }),
      ...messagesOf(child),
    })),
  );
}
