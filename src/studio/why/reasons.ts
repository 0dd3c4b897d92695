export interface WhyProps {
  /** Of the explanation: `transitions/order/3`, `journal/12`. */
  readonly path: string;
  /** The object of the value that is asked: `total of order 105`. */
  readonly of: string;
}

/** The properties of the reasons of one kind. */
export interface ReasonsProps<Explanation> {
  readonly explanation: Explanation;
}
