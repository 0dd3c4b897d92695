/** What a search does with a response to an older value of its field: shows it, ignores it, or aborts its request. */
export type Care = 'none' | 'ignore' | 'abort';

/** A field that searches products for each of its values. @param pause milliseconds after a value before it is searched */
export function showSearch(care: Care, pause?: number): HTMLInputElement {
  document.body.innerHTML = '<input aria-label="Search"><p>Search</p><ul></ul>';
  const field = document.querySelector('input')!;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort = new AbortController();
  field.addEventListener('input', () => {
    const { value } = field;
    abort.abort();
    abort = new AbortController();
    const signal = care === 'abort' ? abort.signal : undefined;
    const isNewest = (): boolean => care !== 'ignore' || field.value === value;
    const run = (): void => void search(value, signal, isNewest);
    clearTimeout(timer);
    if (pause === undefined) run();
    else timer = setTimeout(run, pause);
  });
  return field;
}

async function search(
  value: string,
  signal: AbortSignal | undefined,
  isNewest: () => boolean,
): Promise<void> {
  try {
    const names = await productNames(value, signal);
    if (!isNewest()) return;
    document.querySelector('p')!.textContent = `${names.length} found`;
    document.querySelector('ul')!.innerHTML = names.map((name) => `<li>${name}</li>`).join('');
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}

async function productNames(value: string, signal?: AbortSignal): Promise<string[]> {
  const query = new URLSearchParams({ 'criteria[name]': value });
  const url = `http://localhost/api/products/?${query.toString()}`;
  const response = await fetch(url, signal && { signal });
  const { _embedded } = (await response.json()) as { _embedded: { items: { name: string }[] } };
  return _embedded.items.map(({ name }) => name);
}

/** A page of two parts, each of which shows a list. */
export function showLists(): Promise<unknown> {
  document.body.innerHTML = '<p id="channels"></p><p id="users"></p>';
  return Promise.all(['channels', 'users'].map(showList));
}

async function showList(name: string): Promise<void> {
  const response = await fetch(`http://localhost/api/${name}/`);
  const { total } = (await response.json()) as { total: number };
  document.querySelector(`#${name}`)!.textContent = `${total} ${name}`;
}
