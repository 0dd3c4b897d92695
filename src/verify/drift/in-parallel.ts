/** Runs work on values, three at a time. */
export async function inParallel<Value>(
  values: Iterable<Value>,
  work: (value: Value) => Promise<void>,
): Promise<void> {
  const rest = [...values].values();
  const worker = async (): Promise<void> => {
    for (const value of rest) {
      await work(value);
    }
  };
  await Promise.all(Array.from({ length: 3 }, worker));
}
