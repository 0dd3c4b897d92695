import { batch, computed, signal } from '@preact/signals';
import type { ClockView } from '../engine/office/history-view.ts';
import type { Health } from '../engine/control/endpoints/health.ts';
import type { HistoryReach } from '../engine/office/history-api.ts';
import type { Client } from './client.ts';
import type { Timeline } from './source.ts';

/** The pause before views load again, in milliseconds: after an action of the page, usually, and in a flood. */
const pauses = { own: 0, usual: 250, flood: 5000 };

/** The state of a studio's shop as a whole. */
export class ShopState {
  readonly health = signal<Health | undefined>(undefined);
  /** The name of the API: `store`. */
  readonly apiName = computed(() => this.health.value?.api ?? 'store');
  /** Whether the shop has the API of the studio's pages. It may have another one. */
  readonly hasPages = computed(() => this.health.value?.pages !== false);
  /** Whether the server has findings of `backlot chaos`. */
  readonly hasFindings = computed(() => this.health.value?.may.findings === true);
  readonly clock = signal<ClockView | undefined>(undefined);
  /** Whether the server records changes. */
  readonly hasHistory = signal(true);
  /** The position of the shop in its history; undefined before it is loaded, and without a history. */
  readonly timeline = signal<Timeline | undefined>(undefined);
  /** From which entries on the server has changes, and all entries. */
  readonly reach = signal<HistoryReach>({ changesFrom: 1, entriesFrom: 1 });
  /** Grows when the shop has changed. Views that show records load them again. */
  readonly revision = signal(0);
  /** Whether the clock and the scenario may have changed, too: requests change neither. */
  isAll = false;
  /** Called when the server has removed the session. */
  onEnded: () => void = () => {};
  readonly #client: Client;
  #next:
    | { readonly timer: ReturnType<typeof setTimeout>; readonly how: keyof typeof pauses }
    | undefined;
  /** Runs when the session ends if it is not used. */
  #endTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  async loadClock(): Promise<void> {
    this.clock.value =
      (await this.#client.read<ClockView>('GET /_backlot/clock')) ?? this.clock.value;
  }

  /** Loads what changes without an event: how many sessions there are, and how long the own one is left. */
  async loadHealth(): Promise<void> {
    this.health.value =
      (await this.#client.read<Health>('GET /_backlot/health')) ?? this.health.value;
    const { ended, seconds_left: left } = this.health.value?.session ?? {};
    if (ended !== undefined) this.onEnded();
    clearTimeout(this.#endTimer);
    if (left !== undefined)
      this.#endTimer = setTimeout(() => void this.loadHealth(), (left + 1) * 1000);
  }

  async loadTimeline(): Promise<void> {
    if (!this.hasHistory.value) return;
    const loaded = await this.#client.peek<Timeline>('GET /_backlot/timeline');
    if (loaded === undefined) return;
    batch(() => {
      this.timeline.value = loaded;
      this.reach.value = loaded;
    });
  }

  /** Has all views load again, soon. */
  changed(how: keyof typeof pauses = 'usual'): void {
    // What was done here does not wait as long as a flood.
    if (this.#next !== undefined && pauses[this.#next.how] <= pauses[how]) return;
    clearTimeout(this.#next?.timer);
    this.#next = { timer: setTimeout(() => this.#reload(), pauses[how]), how };
  }

  #reload(): void {
    this.#next = undefined;
    this.revision.value += 1;
    void this.loadTimeline();
    // A session that is used lives longer, and a clock that ticks goes on. Without a history, no event says that it was set.
    if (this.isAll || this.health.value?.session !== undefined) void this.loadHealth();
    if (this.isAll || !this.hasHistory.value || this.clock.value?.mode !== 'frozen')
      void this.loadClock();
    this.isAll = false;
  }

  /** Loads nothing by itself any more. */
  stop(): void {
    clearTimeout(this.#next?.timer);
    clearTimeout(this.#endTimer);
    this.#next = undefined;
  }
}
