import { useState, type FormEvent } from 'react';
import { signIn } from './api.ts';

export function SignIn({ onDone }: { onDone: () => void }) {
  const [message, setMessage] = useState('');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    try {
      await signIn(String(data.get('username')), String(data.get('password')));
      onDone();
    } catch (error) {
      setMessage((error as Error).message);
    }
  };
  return (
    <form onSubmit={submit}>
      <h1>Sign in</h1>
      <label>
        E-mail <input name="username" autoComplete="username" />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" />
      </label>
      <button>Sign in</button>
      {message && <p role="alert">{message}</p>}
    </form>
  );
}
