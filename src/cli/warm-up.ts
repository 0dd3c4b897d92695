/** Runs one step at a time and serves requests in between. */
export function warmUp(steps: Iterator<void>, onEnd?: () => void): void {
  setTimeout(() => {
    if (steps.next().done === true) onEnd?.();
    else warmUp(steps, onEnd);
  }, 10).unref();
}
