import type { Office } from './shop.ts';

/** Returns the commands of curl in a block: each in one line, behind a prompt, which is left out. */
export function commandsIn(block: string): string[] {
  const lines = block.replaceAll(/\\\n\s*/g, '').split('\n');
  return lines
    .filter((line) => /^\s*\$ curl .*\b(localhost|127\.0\.0\.1):4000\b/.test(line))
    .map((line) => line.replace(/^\s*\$ /, ''));
}

/** Sends the request of a command of curl to a back office, and returns what curl would print. */
export async function runCommand(office: Office, command: string): Promise<string> {
  const { url, init, hasHeaders } = requestOf(wordsOf(command));
  const response = await office.fetch(url, init);
  const text = await response.text();
  const head = [
    `HTTP/1.1 ${response.status}`,
    ...[...response.headers].map((pair) => pair.join(': ')),
  ];
  return [...(hasHeaders ? [...head, ''] : []), indented(text)].join('\n');
}

interface Request_ {
  readonly url: string;
  readonly init: RequestInit;
  readonly hasHeaders: boolean;
}

function requestOf(all: readonly string[]): Request_ {
  // What follows is of the shell.
  const end = all.findIndex((word) => word === '|' || word.startsWith('#'));
  const words = end === -1 ? all : all.slice(0, end);
  const headers = new Headers();
  const data: string[] = [];
  let [url, method, hasHeaders] = ['', '', false];
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    if (word === '-X' || word === '--request') method = words[++at]!;
    else if (word === '-H' || word === '--header') {
      const [name = '', ...value] = words[++at]!.split(':');
      headers.set(name, value.join(':').trim());
    } else if (word === '-d' || word === '--data') data.push(words[++at]!);
    else if (word === '-u') headers.set('authorization', `Basic ${btoa(words[++at]!)}`);
    else if (/^-\w*i/.test(word)) hasHeaders = true;
    else if (!word.startsWith('-')) url = word.replace(/^(https?:\/\/)?[\w.]+:4000/, '');
  }
  const hasBody = data.length > 0;
  if (hasBody && !headers.has('content-type'))
    headers.set('content-type', 'application/x-www-form-urlencoded');
  method ||= hasBody ? 'POST' : 'GET';
  return { url, hasHeaders, init: { method, headers, ...(hasBody && { body: data.join('&') }) } };
}

/** Divides a command as a shell does: at spaces outside of quotes. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
