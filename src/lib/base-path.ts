/** What a path can hold without any encoding, but for `,` and `;`, which would end what holds the path. */
const part = String.raw`(?!\.{1,2}(?:/|$))[\w.~!$&'()*+=:@-]+`;
const basePath = new RegExp(`^(?:/${part})+$`);

/** Whether paths can begin with this: `/demo`, `/shops/eu`. Nothing stands in front of them where it is empty. */
export function isBasePath(text: string): boolean {
  return text === '' || basePath.test(text);
}

/** What of a URL lies below a base path: `/api/orders/` of `/demo/api/orders/`; none where it lies elsewhere. */
export function below(prefix: string, url: string): string | undefined {
  if (prefix === '') return url;
  if (!url.startsWith(prefix)) return undefined;
  const rest = url.slice(prefix.length);
  return rest === '' || /^[/?#]/.test(rest) ? rest : undefined;
}
