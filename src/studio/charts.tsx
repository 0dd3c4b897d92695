/** A state machine, as `GET /_backlot/machines` describes it. */
export interface Machine {
  readonly name: string;
  readonly states: readonly string[];
  readonly initial: string;
  readonly external: readonly string[];
  readonly transitions: readonly {
    readonly name: string;
    readonly from: readonly string[];
    readonly to: string;
  }[];
}
