import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useBusy } from './ui.tsx';

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
  const [isBusy, run] = useBusy(onSubmit);
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

/** The text of a field. Its properties are those of the field. */
export function useText(initial = '') {
  const [value, onValue] = useState(initial);
  return { value, onValue };
}

interface ControlProps {
  /** For screen readers; a field has a visible label instead. */
  readonly label?: string | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly class?: string | undefined;
}

interface InputProps extends ControlProps {
  readonly hint?: string | undefined;
  /** The id of a `datalist`. */
  readonly list?: string | undefined;
  readonly type?: 'search';
  readonly inputMode?: 'numeric';
  readonly required?: boolean;
}

/** A text field without a visible label. */
export function Input({ label, onValue, hint, list, ...others }: InputProps) {
  return (
    <input
      aria-label={label}
      list={list}
      placeholder={hint}
      autoComplete="off"
      spellcheck={false}
      onInput={(event) => onValue(event.currentTarget.value)}
      {...others}
    />
  );
}

interface SelectProps extends ControlProps {
  readonly values: readonly string[];
  /** Shown instead of the values. */
  readonly titles?: Readonly<Record<string, string>>;
}

/** A choice without a visible label. */
export function Select({ label, onValue, values, titles = {}, ...others }: SelectProps) {
  return (
    <select aria-label={label} onChange={(event) => onValue(event.currentTarget.value)} {...others}>
      {values.map((one) => (
        <option key={one} value={one}>
          {titles[one] ?? one}
        </option>
      ))}
    </select>
  );
}

interface LabelProps {
  readonly label: string;
  /** Shows the label to screen readers only. */
  readonly isPlain?: boolean | undefined;
  readonly class?: string | undefined;
}

function labelled({ label, isPlain = false, class: name }: LabelProps, control: JSX.Element) {
  return (
    <label class={name}>
      <span class={isPlain ? 'unseen' : ''}>{label}</span>
      {control}
    </label>
  );
}

/** A text field with its label. */
export function TextField({ label, isPlain, class: name, ...input }: LabelProps & InputProps) {
  return labelled({ label, isPlain, class: name }, <Input {...input} />);
}

/** A choice with its label. */
export function SelectField({ label, isPlain, class: name, ...select }: LabelProps & SelectProps) {
  return labelled({ label, isPlain, class: name }, <Select {...select} />);
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
      {label}
    </label>
  );
}
