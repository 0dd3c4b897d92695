/** Has a timer not keep the process alive. Only timers of Node.js and Bun do: elsewhere they are numbers. */
export function unref(timer: number | { unref?(): unknown }): void {
  if (typeof timer === 'object') timer.unref?.();
}
