import { signal } from '@preact/signals';
import type { ClockView } from '../engine/office/history-view.ts';
import type { Client } from './client.ts';
import { noResponse } from './notices.ts';
import { messageOf } from './reply-message.ts';
import type { ShopState } from './shop-state.ts';
import type { IdRanges, RewindEffects, Summary } from './source.ts';

/** A state of the time line: that before or after an entry. */
export interface Stop {
  readonly id: number;
  readonly to: 'before' | 'after';
  readonly position: number;
}

interface PreviewedStop extends Stop {
  /** The effects of letting go, once they are known. */
  readonly effects?: RewindEffects;
  /** The server's reason for which the state cannot be shown. */
  readonly refused?: string;
}

/** The state that a studio shows while the slider of its time line is dragged. */
export class Preview {
  readonly shown = signal<PreviewedStop | undefined>(undefined);
  readonly #client: Client;
  readonly #shop: ShopState;
  #isLoading = false;

  constructor(client: Client, shop: ShopState) {
    this.#client = client;
    this.#shop = shop;
  }

  /** Previews a state. While the slider moves, one after another is loaded. */
  async show(stop: Stop): Promise<void> {
    this.shown.value = stop;
    if (this.#isLoading) return;
    this.#isLoading = true;
    let loaded: PreviewedStop | undefined;
    while (this.shown.value !== undefined && this.shown.value !== loaded) {
      const shown: Stop = this.shown.value;
      const told = await this.#load(shown);
      if (this.shown.value !== shown) continue;
      loaded = told;
      this.shown.value = loaded;
    }
    this.#isLoading = false;
  }

  async #load(stop: Stop): Promise<PreviewedStop> {
    try {
      const reply = await this.#client.call<RewindEffects>(`GET ${rewindPath(stop)}`);
      return reply.status < 400
        ? { ...stop, effects: reply.body }
        : { ...stop, refused: messageOf(reply) };
    } catch {
      return { ...stop, refused: noResponse };
    }
  }

  /** The last entry of the previewed state, once what it comes from is known; undefined for the present state. */
  get entry(): number | undefined {
    const { id = 0, to, effects } = this.shown.value ?? {};
    if (effects === undefined) return undefined;
    return to === 'before' ? id - 1 : id;
  }

  /** Returns the line that reads a path of the shop as it was in the previewed state. */
  lineAt(line: string): string {
    const { entry } = this;
    if (
      entry === undefined ||
      !/ \/_backlot\/(tables|orders|stock|upcoming|faults|script)\b(?!.*\/history$)/.test(line)
    )
      return line;
    return `${line}${line.includes('?') ? '&' : '?'}at=${entry}`;
  }

  /** The clock of the previewed state, or else of the present one; undefined before it is loaded. */
  get clock(): ClockView | undefined {
    return this.shown.value?.effects?.clock ?? this.#shop.clock.value;
  }

  /** Whether the present state, or the previewed one, comes from an entry. */
  isInEffect({ id, inEffect = true }: Summary): boolean {
    const previewed = this.shown.value?.effects?.idsInEffect;
    if (previewed !== undefined) return includes(previewed, id);
    const present = this.#shop.timeline.value?.idsInEffect;
    // The newest entry is always in effect, so the last range ends where the time line was loaded.
    return id > (present?.at(-1)?.[1] ?? 0)
      ? inEffect
      : present === undefined || includes(present, id);
  }
}

function includes(ranges: IdRanges, id: number): boolean {
  return ranges.some(([first, last]) => id >= first && id <= last);
}

/** The path of what going to a state would do. */
export function rewindPath({ id, to }: Pick<Stop, 'id' | 'to'>): string {
  return `/_backlot/journal/${id}/rewind?to=${to}`;
}
