/** What a rule does: the fields of the editor, and whether it is a fault or a rule of the script. */
export interface EffectKind {
  readonly name: string;
  readonly label: string;
  readonly kind: 'fault' | 'script';
  readonly fields: readonly EffectField[];
  /** Whether `after` has a meaning for it. */
  readonly allowsAfter?: boolean;
  /** The step that it is about, if it is about one only. */
  readonly step?: string;
  /** Returns what a rule with it has, by the values of its fields. */
  readonly ruleOf: (valueOf: (field: string) => string) => object;
  /** Say what a rule does by the value of a field that it has (default: its name and its value). */
  readonly texts: Readonly<Record<string, (value: unknown) => string>>;
}

export interface EffectField {
  readonly name: string;
  readonly label: string;
  readonly initial: string;
  /** The values to choose from (default: any text). */
  readonly values?: readonly string[];
  readonly hint?: string;
  readonly isOptional?: boolean;
}
