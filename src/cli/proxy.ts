import type { Arguments } from './arguments.ts';

export async function proxy(_: Arguments): Promise<void> {}
