// The control API of a back office. A page loads it with the first request to it.
export * from './office-control.ts';
