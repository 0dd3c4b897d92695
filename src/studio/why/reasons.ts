export interface WhyProps {
  /** Of the explanation: `transitions/order/3`, `journal/12`. */
  readonly path: string;
  /** The object of the value that is asked: `total of order 105`. */
  readonly of: string;
  /** The record of the line that is asked: `items/7`. */
  readonly about?: string | undefined;
  /** Closes it. Without this, it is a part of its page, and does not take the focus. */
  readonly onClose?: (() => void) | undefined;
}

/** The properties of the reasons of one kind. */
export interface ReasonsProps<Explanation> {
  readonly explanation: Explanation;
  /** The record of the line that is asked: `items/7`; or its table. */
  readonly about?: string | undefined;
}
