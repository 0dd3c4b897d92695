import type { DeliveryState } from '../rest/delivery.ts';

/**
 * The tone of a word for a record or request, in the studio and in terminals: done, needs attention, rejected or
 * failed, of the clock or a plan, taken back.
 */
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'vio';

/** Words by their tones, separated by spaces. */
export type ToneWords = Partial<Readonly<Record<Tone, string>>>;

/** Outcomes of requests, states of responses, what made entries, and states that machines of any API may have. */
const common: ToneWords = {
  ok: 'ok',
  warn: 'declined different pending held delayed',
  bad: 'rejected failed dropped unknown',
  info: 'clock page new',
  vio: 'restore reset',
};

const all: readonly Tone[] = ['ok', 'warn', 'bad', 'info', 'vio'];

/** Returns the tones of words; a word without one is neutral. @param own states of an API */
export function tonesWith(own: ToneWords = {}): ReadonlyMap<string, Tone> {
  return new Map(
    all.flatMap((tone) =>
      [common[tone] ?? [], own[tone] ?? []]
        .flat()
        .flatMap((words) => words.split(' ').map((word) => [word, tone] as const)),
    ),
  );
}

/** Returns the word that decides the tone of an entry: what made it, the state of its response, or its outcome. */
export function toneWordOf({
  by,
  outcome,
  state = 'sent',
}: {
  readonly by: string;
  readonly outcome: string;
  readonly state?: DeliveryState | undefined;
}): string {
  if (by !== 'request') return by;
  return state === 'sent' || state === 'dropped' ? outcome : state;
}

/** Returns the tone of a response of which only the status is known. */
export function toneOfStatus(status: number): Tone {
  return status < 400 ? 'ok' : 'bad';
}
