/** The properties of the reasons of one kind. */
export interface ReasonsProps<Explanation> {
  readonly explanation: Explanation;
  /** The record of the line that is asked: `adjustments/7`; or its table. */
  readonly about?: string | undefined;
}
