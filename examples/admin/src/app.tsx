import { useEffect, useState } from 'react';
import { ApiError } from './api.ts';
import { OrderPage } from './order.tsx';
import { Orders } from './orders.tsx';
import { SignIn } from './sign-in.tsx';

/** `#/` is the list, `#/?page=2` its second page, `#/105` an order. */
export function App() {
  const hash = useHash();
  const [isSignedIn, setSignedIn] = useState(sessionStorage.getItem('token') !== null);
  if (!isSignedIn) return <SignIn onDone={() => setSignedIn(true)} />;
  const onError = (error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 401) return;
    sessionStorage.removeItem('token');
    setSignedIn(false);
  };
  const id = Number(hash.slice(2));
  return id > 0 ? (
    <OrderPage key={id} id={id} onError={onError} />
  ) : (
    <Orders
      page={Number(new URLSearchParams(hash.split('?')[1]).get('page') ?? 1)}
      onError={onError}
    />
  );
}

function useHash(): string {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const read = () => setHash(location.hash);
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return hash;
}
