import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

if (import.meta.env.MODE === 'demo' || (import.meta.env.DEV && !import.meta.env.VITE_SERVER)) {
  const { startWorker } = await import('backlot/browser');
  const workerUrl = new URL('mockServiceWorker.js', document.baseURI).pathname;
  await startWorker({ scenario: 'authenticated', keep: true, workerUrl });
}

createRoot(document.querySelector('#app')!).render(<App />);
