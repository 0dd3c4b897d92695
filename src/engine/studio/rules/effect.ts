/** What a rule does: the fields of the editor, and whether it is a fault or a rule of the script. */
export interface EffectKind {
  readonly name: string;
  readonly label: string;
  readonly kind: 'fault' | 'script';
  readonly fields: readonly EffectField[];
  /** The JSON type of its value, if it is a kind of fault of the API's own. */
  readonly type?: string;
  /** The step that it is about, if it is about one only. */
  readonly step?: string;
  /** Returns what a rule with it has, by the values of its fields (default: they decide it by name). */
  readonly ruleOf?: (valueOf: (field: string) => string) => object;
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
