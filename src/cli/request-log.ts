import type { HttpListener } from '../mounts/server/server.ts';
import { toneOfStatus } from '../engine/journal/tone.ts';
import { paintTone } from './terminal.ts';
import { styleText } from 'node:util';
import { printable } from '../engine/lib/printable.ts';
import { redactText, redactUrl } from '../engine/journal/redaction.ts';
import { clientOf } from '../engine/journal/recorded-exchange.ts';
import { sessionHeader } from '../engine/sessions/request-target.ts';

/**
 * Writes one line for each request: the time, method, status (`---` if there was no response), path, duration, the session that a
 * header names, and the program that sent it, without secrets. The duration is that of the entry in the history, if there is one.
 */
export function requestLog(write: (line: string) => void): HttpListener {
  return ({ method = '', url = '', headers }, response, delivery) => {
    const session = [headers[sessionHeader] ?? []].flat().map((name) => `session ${name}`);
    const by = printable(
      redactText([...session, clientOf(headers['user-agent']) ?? []].flat().join(', ')),
    );
    const start = performance.now();
    response.once('close', () => {
      const { ms = performance.now() - start } = delivery ?? {};
      const took = `${Math.round(ms * 100) / 100} ms`;
      const status = response.headersSent
        ? paintTone(toneOfStatus(response.statusCode), String(response.statusCode))
        : paintTone('bad', '---');
      const time = styleText('dim', formatTime(new Date()));
      const rest = styleText('dim', by === '' ? took : `${took}  ${by}`);
      write(`${time} ${method.padEnd(7)} ${status} ${printableUrl(url)} ${rest}`);
    });
  };
}

/** The time of day here: `19:26:54`. */
function formatTime(date: Date): string {
  return date.toTimeString().slice(0, 8);
}

/** Returns the decoded path, without secrets and without control characters. */
function printableUrl(rawUrl: string): string {
  const url = redactUrl(rawUrl);
  try {
    return printable(redactText(decodeURI(url)));
  } catch {
    return printable(url);
  }
}
