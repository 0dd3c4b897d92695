import { styleText } from 'node:util';
import type { HttpListener } from '../adapters/http/server.ts';
import { redactText, redactUrl } from '../journal/redaction.ts';

/** Writes one line for each request: method, status (`---` if there was no response), path and time, without secrets. */
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

/** Returns the decoded path, without secrets and without control characters. */
function printable(rawUrl: string): string {
  const url = redactUrl(rawUrl);
  try {
    return redactText(decodeURI(url)).replaceAll(/\p{Cc}/gu, '?');
  } catch {
    return url.replaceAll(/\p{Cc}/gu, '?');
  }
}
