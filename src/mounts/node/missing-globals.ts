/**
 * Adds the globals of Node.js that MSW requires, if a test environment lacks them. In the pools of vitest that use `node:vm`,
 * jsdom has no streams, and happy-dom has no `BroadcastChannel`.
 */
export function addMissingGlobals(): void {
  const { BroadcastChannel } = process.getBuiltinModule('node:worker_threads');
  const all = { ...process.getBuiltinModule('node:stream/web'), BroadcastChannel };
  for (const [name, value] of Object.entries(all)) {
    if (name in globalThis) continue;
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}
