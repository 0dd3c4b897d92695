import type { AnswerOf } from 'backlot/client';
import { useEffect, useState } from 'react';
import { call } from './api.ts';

type Found = AnswerOf<'GET /api/orders/'>;

export const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount / 100);

export function Orders({ page, onError }: { page: number; onError: (error: unknown) => void }) {
  const [found, setFound] = useState<Found>();
  const [message, setMessage] = useState('');
  useEffect(() => {
    call('GET /api/orders/', { query: { page, limit: 20 } }).then(setFound, (error: Error) => {
      setMessage(error.message);
      onError(error);
    });
  }, [page]);
  if (message) return <p role="alert">{message}</p>;
  if (!found) return <p>Loading …</p>;
  return (
    <>
      <h1>Orders</h1>
      <table>
        <tbody>
          {found._embedded.items.map(({ id, email, state, total, currency }) => (
            <tr key={id}>
              <td>
                <a href={`#/${id}`}>Order {id}</a>
              </td>
              <td>{email}</td>
              <td>{state}</td>
              <td>{money(total, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <nav>
        {page > 1 && <a href={`#/?page=${page - 1}`}>Previous</a>} Page {page} of {found.pages}{' '}
        {page < found.pages && <a href={`#/?page=${page + 1}`}>Next</a>}
      </nav>
    </>
  );
}
