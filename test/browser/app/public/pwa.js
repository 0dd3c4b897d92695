// The worker of an app, as a PWA has it: it takes its pages over at once, and the network answers them.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => event.respondWith(fetch(event.request)));
