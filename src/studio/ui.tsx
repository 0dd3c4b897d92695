import { Fragment, type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from './reply-message.ts';
import { formatTime, shortTime } from './format.ts';
import { unfold } from './scroller.ts';
import { useStudio } from './studio.ts';

interface ButtonProps {
  /** The object of the action, for screen readers: `order 105`. */
  readonly of?: string | undefined;
  readonly onClick: () => unknown;
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'danger' | 'quiet' | undefined;
  readonly disabled?: boolean | undefined;
  readonly title?: string | undefined;
}

/** Returns whether an action runs, and the function that runs it unless it does. */
export function useBusy(action: () => unknown): [isBusy: boolean, run: () => Promise<void>] {
  const studio = useStudio();
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await action();
    } catch (error) {
      studio.notices.show(error);
    }
    setBusy(false);
  };
  return [isBusy, run];
}

/** A button. While its action runs, it is busy and cannot be pressed again. */
export function Button({ of, onClick, children, kind, disabled = false, title }: ButtonProps) {
  const [isBusy, press] = useBusy(onClick);
  return (
    <button
      type="button"
      class={kind}
      title={title}
      aria-busy={isBusy}
      aria-disabled={disabled}
      onClick={() => disabled || void press()}
    >
      {children}
      {of !== undefined && <span class="unseen"> {of}</span>}
    </button>
  );
}

/** Buttons that write something about one object: their texts, what each did, for a person, and its request. */
export function WriteButtons({
  of,
  writes,
}: {
  readonly of: string;
  readonly writes: readonly (readonly [
    text: string,
    did: string,
    line: string,
    body?: object | undefined,
    kind?: ButtonProps['kind'],
  ])[];
}) {
  const studio = useStudio();
  return writes.map(([text, did, line, body, kind]) => (
    <Button key={text} of={of} kind={kind} onClick={() => studio.actions.act(did, line, body)}>
      {text}
    </Button>
  ));
}

/** A button that copies a text. The text may be loaded when it is pressed. */
export function CopyButton({
  text,
  of,
  children,
}: {
  readonly text: string | (() => Promise<string | undefined>);
  readonly of?: string | undefined;
  readonly children: ComponentChildren;
}) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    const value = typeof text === 'string' ? text : await text();
    if (value === undefined) return;
    await copyText(value);
    setCopied(true);
  };
  return (
    <Button of={of} onClick={copy}>
      {isCopied ? 'Copied' : children}
    </Button>
  );
}

/** The clipboard is only available on secure origins; a selection works on all others. */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    // oxlint-disable-next-line typescript/no-deprecated -- there is no other way without a secure origin
    document.execCommand('copy');
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}

/** Values that are toggled one by one. */
export function useToggled<Value>(): [on: ReadonlySet<Value>, toggle: (one: Value) => void] {
  const [on, setOn] = useState<ReadonlySet<Value>>(new Set());
  const toggle = (one: Value): void => {
    const next = new Set(on);
    if (!next.delete(one)) next.add(one);
    setOn(next);
  };
  return [on, toggle];
}

/** A part that opens and closes. */
export function Disclosure({
  title,
  children,
  open = false,
}: {
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
  readonly open?: boolean;
}) {
  const [isOpen, setOpen] = useState(open);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        if (currentTarget.open && !isOpen) requestAnimationFrame(() => unfold(currentTarget));
      }}
    >
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly class?: string;
}

/** A table with a caption for screen readers. Rows keep their elements by key. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  below,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** What a row unfolds. */
  readonly below?: (row: Row) => ComponentChildren;
}) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={column.class}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={keyOf(row)}>
              <tr>
                {columns.map((column) => (
                  <td key={column.title} class={column.class}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
              {unfolded(below?.(row), columns.length)}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function unfolded(content: ComponentChildren, columns: number) {
  if (content === undefined || content === false) return null;
  return (
    <tr class="unfolded">
      <td colSpan={columns}>{content}</td>
    </tr>
  );
}

/** A time of the back office. */
export function Time({ at }: { readonly at: string }) {
  const studio = useStudio();
  return (
    <time dateTime={at} title={formatTime(at)}>
      {shortTime(at, studio.preview.clock?.now)}
    </time>
  );
}

/** The text of an empty list, with a hint. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** Returns the loaded value, undefined before. */
interface Loaded<Body> {
  readonly body: Body | undefined;
  /** The message of an error of the server. */
  readonly error: string | undefined;
}

/**
 * Loads a path when it or a version changes: by default, when the shop does. The former body is shown until the next has arrived.
 * While the past is shown, it is read as it was then.
 */
export function useLoaded<Body>(path: string, version?: unknown): Loaded<Body> {
  const { client, shop, preview } = useStudio();
  const line = preview.lineAt(path);
  const state = useAsync(
    async () => ({ line, ...(await client.call<Body>(line)) }),
    [line, version ?? shop.revision.value],
  );
  const reply = state?.line === line ? state : undefined;
  const isError = reply !== undefined && reply.status >= 400;
  return {
    body: isError ? undefined : reply?.body,
    error: isError ? messageOf(reply) : undefined,
  };
}

/** Returns the last value that was loaded, while another one is. */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const last = useRef<Value>(undefined);
  if (value !== undefined) last.current = value;
  return last.current;
}

/**
 * Loads a value when a key changes. The former value is returned until then.
 *
 * @param wait how long the keys stay the same before it is loaded, in milliseconds (default: it is loaded at once)
 */
export function useAsync<Value>(
  load: () => Promise<Value>,
  keys: readonly unknown[],
  wait?: number,
): Value | undefined {
  const studio = useStudio();
  const [value, setValue] = useState<Value>();
  useEffect(() => {
    let isCurrent = true;
    const run = async () => {
      try {
        const loaded = await load();
        if (isCurrent) setValue(() => loaded);
      } catch (error) {
        if (isCurrent) studio.notices.show(error);
      }
    };
    const timer = wait === undefined ? void run() : setTimeout(() => void run(), wait);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, keys);
  return value;
}
