import { preloadMsw } from './load-msw.ts';

/** Imports what is otherwise required when it is needed, for hosts that cannot require ES modules: MSW and the parts of the package. */
export async function preload(): Promise<void> {
  const [{ provideParts }] = await Promise.all([import('../../shop/parts.ts'), preloadMsw()]);
  provideParts();
}
