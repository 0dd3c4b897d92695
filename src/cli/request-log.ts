import { styleText } from 'node:util';
import type { HttpListener } from '../adapters/http/server.ts';
import { redactText, redactUrl } from '../journal/redaction.ts';

/** Writes one line for each request: method, status (`---` where nothing was answered), path, time. No secret is in it. */
export function requestLog(write: (line: string) => void): HttpListener {
  return ({ method = '', url = '' }, response) => {
    const start = performance.now();
    response.once('close', () => {
      const took = `${(performance.now() - start).toFixed(1)} ms`;
      const status = response.headersSent
        ? styleText(colourOf(response.statusCode), String(response.statusCode))
        : styleText('red', '---');
      write(`${method.padEnd(7)} ${status} ${printable(url)} ${styleText('dim', took)}`);
    });
  };
}

function colourOf(status: number): 'green' | 'yellow' | 'red' {
  if (status < 400) return 'green';
  return status < 500 ? 'yellow' : 'red';
}

/** A path as it was meant, without secrets and without anything that a terminal would act on. */
function printable(sent: string): string {
  const url = redactUrl(sent);
  try {
    return redactText(decodeURI(url)).replaceAll(/\p{Cc}/gu, '?');
  } catch {
    return url.replaceAll(/\p{Cc}/gu, '?');
  }
}
