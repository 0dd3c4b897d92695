import { effect } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { call } from './calls.ts';
import { lastId, revision, show } from './store.ts';

/**
 * Loads a path now, and again after the shop has changed or a request was received, at most once in a while. Counts of
 * rules and held responses change without a change of the shop.
 *
 * @param pause the shortest time between two loads, in milliseconds
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the body, as with `Source.call`
export function useLive<Body>(line: string, pause = 1000): Body | undefined {
  const [body, setBody] = useState<Body>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isEnded = false;
    let seen = '';
    const load = async () => {
      try {
        const reply = await call<Body>(line);
        if (!isEnded && reply.status < 400) setBody(reply.body);
      } catch (error) {
        if (!isEnded) show(error);
      }
    };
    const stop = effect(() => {
      const now = `${revision.value} ${lastId.value}`;
      if (seen === '') void load();
      else {
        timer ??= setTimeout(() => {
          timer = undefined;
          void load();
        }, pause);
      }
      seen = now;
    });
    return () => {
      isEnded = true;
      stop();
      clearTimeout(timer);
    };
  }, [line, pause]);
  return body;
}
