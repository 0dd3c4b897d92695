declare module 'msw/package.json' {
  const manifest: { readonly version: string };
  export default manifest;
}

/** Fixtures and scenarios are parsed by their schemas, so their own types do not matter. */
declare module '*.json' {
  const content: unknown;
  export default content;
}
