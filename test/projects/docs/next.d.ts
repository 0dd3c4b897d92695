// The project `next` has the real ones.
declare module 'next/headers' {
  export function headers(): Promise<Headers>;
}
