import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { show } from './store.ts';

/** A form of one action, with its button. Enter submits it, too. */
export function Form({
  label,
  submit,
  of,
  kind,
  onSubmit,
  children,
}: {
  readonly label: string;
  /** The text of the button. */
  readonly submit: string;
  /** The object of the action, for screen readers: `order 105`. */
  readonly of?: string;
  readonly kind?: 'primary' | 'danger';
  readonly onSubmit: () => unknown;
  readonly children: ComponentChildren;
}) {
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await onSubmit();
    } catch (error) {
      show(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="fields"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      {children}
      <button class={kind} aria-busy={isBusy}>
        {submit}
        {of !== undefined && <span class="unseen"> {of}</span>}
      </button>
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Shows the label to screen readers only. */
  readonly isPlain?: boolean;
  readonly class?: string | undefined;
}

/** A text field with its label. `list` is the id of a `datalist`. */
export function TextField({
  label,
  value,
  onValue,
  isPlain = false,
  class: name,
  hint,
  list,
  isNumber = false,
  isRequired = false,
}: FieldProps & {
  readonly hint?: string | undefined;
  readonly list?: string | undefined;
  readonly isNumber?: boolean;
  readonly isRequired?: boolean;
}) {
  return (
    <label class={name}>
      <span class={isPlain ? 'unseen' : ''}>{label}</span>
      <input
        value={value}
        placeholder={hint}
        list={list}
        inputMode={isNumber ? 'numeric' : undefined}
        required={isRequired}
        autoComplete="off"
        spellcheck={false}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </label>
  );
}

/** A choice with its label. `titles` are shown instead of the values. */
export function SelectField({
  label,
  value,
  onValue,
  isPlain = false,
  class: name,
  values,
  titles = {},
}: FieldProps & {
  readonly values: readonly string[];
  readonly titles?: Readonly<Record<string, string>>;
}) {
  return (
    <label class={name}>
      <span class={isPlain ? 'unseen' : ''}>{label}</span>
      <select value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {values.map((one) => (
          <option key={one} value={one}>
            {titles[one] ?? one}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A box to tick, with its label. */
export function CheckField({
  label,
  value,
  onValue,
}: {
  readonly label: string;
  readonly value: boolean;
  readonly onValue: (value: boolean) => void;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
