import { useEffect, useState } from 'react';

/** Shows the number of users, and creates one. */
export function Users({ send = (...request) => fetch(...request) }) {
  const [text, setText] = useState('Loading…');
  const load = async () => {
    const response = await send('/api/users/?limit=1');
    const { total, message } = await response.json();
    setText(response.ok ? `${total} users` : message);
  };
  const add = async () => {
    const body = new URLSearchParams({
      firstName: 'Ada',
      lastName: 'Novak',
      email: 'ada@shop.test',
      plainPassword: 'correct horse',
    });
    await send('/api/users/', { method: 'POST', body });
    await load();
  };
  useEffect(() => void load(), []);
  return (
    <p>
      <output>{text}</output> <button onClick={add}>Add</button>
    </p>
  );
}
