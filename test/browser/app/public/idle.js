// A worker that takes over no page.
addEventListener('message', () => undefined);
