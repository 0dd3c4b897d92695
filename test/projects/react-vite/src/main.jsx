import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { startWorker } from 'backlot/browser';

// `/?effect` starts the mock in an effect, which StrictMode runs twice; `/` starts it in a module.
const inEffect = new URLSearchParams(location.search).has('effect');
if (!inEffect) {
  await import('./mocks.js');
  await window.ready;
}

function App() {
  const [orders, setOrders] = useState();
  useEffect(() => {
    const starting = inEffect ? startWorker({ scenario: 'filled-cart' }) : undefined;
    window.effects = (window.effects ?? 0) + 1;
    let isCurrent = true;
    void (async () => {
      await starting;
      const response = await fetch('/api/orders/1');
      const { state } = await response.json();
      if (isCurrent) setOrders(state);
    })();
    return () => {
      isCurrent = false;
      void starting?.then((office) => office.stop());
    };
  }, []);
  return <output>{orders}</output>;
}

createRoot(document.getElementById('root')).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
