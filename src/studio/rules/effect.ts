import type { ShownFault } from '../../engine/faults/fault-kind.ts';

/** The effect of a rule. The document of the API has the types of its fields. */
export interface Effect extends Omit<ShownFault, 'text'> {
  /** The field of a rule that has it. */
  readonly name: string;
  /** The step that it is about, if it is about one only. */
  readonly step?: string;
  /** Say what a rule does by the value of a field that it has, as those of a fault (default: its name and its value). */
  readonly texts: Readonly<Record<string, ShownFault['text']>>;
  /** Returns its part of a rule, by the values of fields that are not empty (default: these, or an object of them). */
  readonly ruleOf?: (values: Readonly<Record<string, unknown>>) => object;
}
