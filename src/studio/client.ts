import { signal } from '@preact/signals';
import type { MachineView, StepView } from '../engine/control/endpoints/machines.ts';
import type { Notices } from './notices.ts';
import type { OpenApi } from './openapi.ts';
import { messageOf } from './reply-message.ts';
import type { Reply, Source } from './source.ts';
import { tabStorage } from './tab-storage.ts';

const maxKept = 200;

/** The key of the tab's storage for what the studio calls itself in `X-Backlot-Actor`. */
const actorKey = 'backlot-actor';

/** Sends the requests of a studio. */
export class Client {
  /** The back office that the studio shows and controls. */
  readonly source: Source;
  /** The actor of the history entries that this page makes, until the tab is closed. */
  readonly actor = actorOfTab();
  /** The OpenAPI document, once it was needed. */
  readonly openApi = signal<OpenApi | undefined>(undefined);
  readonly #notices: Notices;
  /** Replies that never change, by line and version. */
  readonly #kept = new Map<string, Promise<unknown>>();

  constructor(source: Source, notices: Notices) {
    this.source = source;
    this.#notices = notices;
  }

  /** Sends a request: see `Source.call`. What may write says who sends it; reads of another origin need no preflight so. */
  async call<Body>(
    line: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply<Body>> {
    const actor = line.startsWith('GET ') ? {} : { 'x-backlot-actor': this.actor };
    return this.source.call<Body>(line, body, { ...actor, ...headers });
  }

  /** Reads a path. Rejects if there is no response. @returns undefined for an error */
  async bodyOf<Body>(line: string): Promise<Body | undefined> {
    const { status, body } = await this.call<Body>(line);
    return status < 400 ? body : undefined;
  }

  /** Reads a path of the control API. Shows an error as a notice and returns undefined then. */
  async read<Body>(line: string): Promise<Body | undefined> {
    try {
      const reply = await this.call<Body>(line);
      if (reply.status < 400) return reply.body;
      if (reply.status === 401) this.#notices.needsToken.value = true;
      this.#notices.show(messageOf(reply));
    } catch (error) {
      this.#notices.show(error);
    }
    return undefined;
  }

  /** Reads a path of the control API. Returns undefined for an error, and without a response. */
  async peek<Body>(line: string): Promise<Body | undefined> {
    return this.bodyOf<Body>(line).catch(() => undefined);
  }

  /**
   * Reads what never changes, once. A version tells apart what has the same line after a reset of the server.
   *
   * @returns undefined for an error
   */
  async kept<Body>(line: string, version = ''): Promise<Body | undefined> {
    const key = `${line} ${version}`;
    const body = this.#kept.get(key) ?? this.bodyOf<Body>(line);
    this.#kept.set(key, body);
    void body.catch(() => this.#kept.delete(key));
    const [oldest = key] = this.#kept.keys();
    if (this.#kept.size > maxKept) this.#kept.delete(oldest);
    return body as Promise<Body | undefined>;
  }

  /** Returns the steps that rules and the journal name. */
  async loadSteps(): Promise<readonly StepView[]> {
    return (await this.kept<readonly StepView[]>('GET /_backlot/steps')) ?? [];
  }

  /** Returns the state machines. */
  async loadMachines(): Promise<readonly MachineView[]> {
    return (await this.kept<readonly MachineView[]>('GET /_backlot/machines')) ?? [];
  }

  /** Loads the document. It is large and never changes. */
  async loadOpenApi(): Promise<void> {
    this.openApi.value ??= await this.bodyOf<OpenApi>('GET /_backlot/openapi.json');
  }
}

/** Returns a random name, which the tab keeps when it is loaded again. */
function actorOfTab(): string {
  const storage = tabStorage();
  const actor = storage?.getItem(actorKey) ?? `studio ${Math.random().toString(36).slice(2, 8)}`;
  storage?.setItem(actorKey, actor);
  return actor;
}
