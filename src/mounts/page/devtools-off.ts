/** `backlot/devtools` in builds for production: without effect. */
export function showDevtools(): () => void {
  return () => undefined;
}

export function showStudio(): () => void {
  return () => undefined;
}
