import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openSessions } from '../../src/engine/sessions/server.ts';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import {
  agentTasks,
  type Agent,
  type AgentTask,
  type CurlOptions,
  type Way,
} from './agent-tasks.ts';
import type { Figure } from './report.ts';

const root = join(import.meta.dirname, '../..');
/** Minimum number of times that the bytes of documents and `curl` exceed those of the skill, parts and brief responses. */
const minRatio = 5;

/**
 * Bytes that tasks of an agent take: what it sends and what it reads. Each is solved twice, by whole documents and responses,
 * and by the skill, parts of documents and brief responses; each solution is checked.
 */
export async function agentFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const task of agentTasks) {
    const whole = await bytesOf(task, 'plain');
    const parts = await bytesOf(task, 'brief');
    figures.push({
      name: task.name,
      value: parts / whole,
      unit: 'x',
      limit: 1 / minRatio,
      detail: `${parts} B over ${whole} B`,
    });
  }
  return figures;
}

/** Returns the bytes that a solution takes. @throws Error if it does not solve its task */
async function bytesOf(task: AgentTask, way: Way): Promise<number> {
  const office = openStoreOffice({ history: true });
  const folder = mkdtempSync(join(tmpdir(), 'backlot-agent-'));
  const http = createHttpServer(openSessions(office, {})).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  try {
    const agent = new Counted(url, folder);
    await task.solve(way, agent, office);
    return agent.bytes;
  } finally {
    http.close();
    http.closeAllConnections();
    rmSync(folder, { recursive: true });
  }
}

/** Counts what an agent sends and reads. */
class Counted implements Agent {
  bytes = 0;
  readonly url: string;
  readonly folder: string;

  constructor(url: string, folder: string) {
    this.url = url;
    this.folder = folder;
  }

  doc(path: string): string {
    return this.#count(readFileSync(join(root, path), 'utf8'));
  }

  async curl(line: string, body?: unknown, options: CurlOptions = {}): Promise<string> {
    const { prefer, file } = options;
    const [method = '', path = ''] = line.split(' ');
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    this.#count(`${line} ${sent ?? ''} ${Object.values(options).join(' ')}`);
    const text = file === undefined ? sent : readFileSync(join(this.folder, file), 'utf8');
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...(prefer !== undefined && { prefer }),
      },
      ...(text !== undefined && { body: text }),
    });
    return this.#count(await response.text());
  }

  async jq(method: string, path: string): Promise<string> {
    const document = await (await fetch(`${this.url}/_backlot/openapi.json`)).json();
    const only = encodeURIComponent(`${method} ${path}`);
    const part = await (await fetch(`${this.url}/_backlot/openapi.json?only=${only}`)).json();
    const schemas = Object.keys(part.components.schemas).map((name) => ({
      [name]: document.components.schemas[name],
    }));
    return this.#count(JSON.stringify([document.paths[path][method], schemas]));
  }

  async run(...words: string[]): Promise<string> {
    this.#count(`npx backlot ${words.join(' ')}`);
    const main = join(root, 'src/cli/main.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...words], {
      cwd: this.folder,
      env: { ...process.env, NO_COLOR: '1' },
    });
    return this.#count(stdout);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), this.#count(text));
  }

  read(name: string): string {
    return this.#count(readFileSync(join(this.folder, name), 'utf8'));
  }

  async test(text: string): Promise<void> {
    const office = pathToFileURL(join(root, 'src/mounts/node.ts')).href;
    this.write('card.test.ts', text);
    writeFileSync(join(this.folder, 'card.test.ts'), text.replace('backlot/node', office));
    await promisify(execFile)(process.execPath, ['--test', join(this.folder, 'card.test.ts')]);
  }

  #count(text: string): string {
    this.bytes += Buffer.byteLength(text);
    return text;
  }
}
