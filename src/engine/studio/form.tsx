import type { ComponentChildren } from 'preact';
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
  readonly type?: 'search' | 'password';
  readonly inputMode?: 'numeric' | undefined;
  readonly required?: boolean;
}

/** A text field without a visible label. */
export function Input({ label, onValue, hint, type, ...others }: InputProps) {
  return (
    <input
      // Only a password has no list.
      type={type as 'search'}
      aria-label={label}
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
export function Select({ label, value, onValue, values, titles = {} }: SelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
    >
      {values.map((one) => (
        <option key={one} value={one}>
          {titles[one] ?? one}
        </option>
      ))}
    </select>
  );
}

interface FieldProps {
  readonly label: string;
  /** Shows the label to screen readers only. */
  readonly isPlain?: boolean | undefined;
  readonly class?: string | undefined;
}

function Field({
  label,
  isPlain = false,
  class: name,
  children,
}: FieldProps & { readonly children: ComponentChildren }) {
  return (
    <label class={name}>
      <span class={isPlain ? 'unseen' : ''}>{label}</span>
      {children}
    </label>
  );
}

/** A text field with its label. */
export function TextField({
  label,
  isPlain,
  class: name,
  isNumber = false,
  isRequired = false,
  ...input
}: FieldProps &
  InputProps & {
    readonly label: string;
    readonly isNumber?: boolean;
    readonly isRequired?: boolean;
  }) {
  return (
    <Field label={label} isPlain={isPlain} class={name}>
      <Input {...input} inputMode={isNumber ? 'numeric' : undefined} required={isRequired} />
    </Field>
  );
}

/** A choice with its label. */
export function SelectField({
  label,
  isPlain,
  class: name,
  ...select
}: FieldProps & SelectProps & { readonly label: string }) {
  return (
    <Field label={label} isPlain={isPlain} class={name}>
      <Select {...select} />
    </Field>
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
      {label}
    </label>
  );
}
