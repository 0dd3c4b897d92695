import { useEffect, useRef, useState } from 'preact/hooks';
import { useLast, useLoaded } from './ui.tsx';
import { useStudio } from './studio.ts';

/**
 * Loads a path now, and again after the shop has changed or a request was received, at most once in a while. Counts of
 * rules change without a change of the shop.
 *
 * @param pause the shortest time between two loads, in milliseconds
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the body, as with `Source.call`
export function useLive<Body>(line: string, pause = 1000): Body | undefined {
  const studio = useStudio();
  return useLast(
    useLoaded<Body>(
      line,
      useSometimes(`${studio.shop.revision.value} ${studio.history.lastId.value}`, pause),
    ).body,
  );
}

/** Returns a value that follows another one, with a pause between two changes. */
function useSometimes<Value>(value: Value, pause: number): Value {
  const latest = useRef(value);
  latest.current = value;
  const [shown, setShown] = useState(value);
  useEffect(() => {
    if (shown === value) return undefined;
    const timer = setTimeout(() => setShown(latest.current), pause);
    return () => clearTimeout(timer);
  }, [shown === value]);
  return shown;
}
