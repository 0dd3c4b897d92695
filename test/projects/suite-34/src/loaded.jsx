import { useEffect, useState } from 'react';
import { call } from './api.js';

/** Shows what a path of the store has, once it is read. */
export function Loaded({ path, children }) {
  const [data, setData] = useState();
  const [error, setError] = useState();
  useEffect(() => {
    call(path).then(setData, setError);
  }, [path]);
  if (error) return <p role="alert">{error.message}</p>;
  return data ? children(data) : <p>Loading …</p>;
}

/** A page of a list as a table: its columns are functions of a record. */
export function Listed({ path, columns }) {
  return (
    <Loaded path={path}>
      {({ page, pages, total, _embedded }) => (
        <>
          <table>
            <tbody>
              {_embedded.items.map((one) => (
                <tr key={one.id}>
                  {columns.map((column) => (
                    <td key={String(column)}>{column(one)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <p>
            {total} in all, page {page} of {pages}
          </p>
        </>
      )}
    </Loaded>
  );
}
