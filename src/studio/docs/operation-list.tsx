import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Input, useText } from '../form.tsx';
import { hasWords, operationHeads, wordsOf, type OpenApi } from '../openapi.ts';
import { hrefTo } from '../route.ts';
import { Empty } from '../ui.tsx';
import { isOfStore } from '../sent-request.ts';
import { useStudio } from '../studio.ts';

/** The operations by resource, and a search. Those of the control API are listed if they are asked for. */
export function OperationList({
  document,
  chosen,
}: {
  readonly document: OpenApi;
  readonly chosen: string | undefined;
}) {
  const studio = useStudio();
  const text = useText();
  const [isControl, setControl] = useState(false);
  const all = operationHeads(document);
  const own = all.filter(({ path }) => isOfStore(path));
  const isOfControl = chosen !== undefined && !own.some(({ id }) => id === chosen);
  const isWhole = isControl || isOfControl || text.value !== '';
  const found = (isWhole ? all : own).filter((one) => hasWords(wordsOf(one), text.value));
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>('[aria-current]');
    const side = list.current?.parentElement;
    if (link && side) side.scrollTop = link.offsetTop - side.offsetTop - 200;
  }, []);
  return (
    <aside class="card side">
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (found[0] !== undefined) studio.router.go(hrefTo('docs', found[0].id));
        }}
      >
        <Input
          type="search"
          class="wide"
          label="Search operations"
          hint="Search, Enter opens the first"
          {...text}
        />
      </form>
      <nav
        ref={list}
        class={text.value === '' ? 'idle' : undefined}
        aria-label="Operations"
        tabIndex={-1}
      >
        {found.length === 0 && <Empty>No operation has these words.</Empty>}
        {[...Map.groupBy(found, ({ tag }) => tag)].map(([tag, operations]) => (
          <Fragment key={tag}>
            <h2>{tag}</h2>
            <ul>
              {operations.map(({ id, method, path, summary }) => (
                <li key={id}>
                  <a
                    href={hrefTo('docs', id)}
                    title={`${method} ${path}`}
                    aria-current={id === chosen ? 'page' : undefined}
                  >
                    {methodOf(method)}
                    <span class="grow">{summary}</span>
                  </a>
                </li>
              ))}
            </ul>
          </Fragment>
        ))}
      </nav>
      {!isWhole && (
        <button type="button" class="quiet" onClick={() => setControl(true)}>
          Show the control API
        </button>
      )}
    </aside>
  );
}

export function methodOf(method: string) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>;
}
