/** What `backlot/devtools` is in bundles for production: nothing. */
export function showDevtools(): () => void {
  return () => undefined;
}

export function showStudio(): () => void {
  return () => undefined;
}
