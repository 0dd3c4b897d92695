import { read } from '../support/tree.ts';

/** The messages that `docs/decisions.md` lists under "Error messages". Clients receive no others. */
const listed = readListed();

/** Returns the messages of a body that the document does not list. */
export function unlisted(body: unknown): string[] {
  return messagesIn(body).filter((message) => !listed.some((pattern) => pattern.test(message)));
}

/** Returns every message of an error body: its own, those of its tree, and that of an OAuth error. */
function messagesIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    if (name === 'message' || name === 'error_description') return [String(value)];
    if (name === 'errors' && Array.isArray(value)) return value.map(String);
    return messagesIn(value);
  });
}

function readListed(): RegExp[] {
  const [, section = ''] = read('docs/decisions.md').split('## Error messages\n');
  const [table = ''] = section.split('\n## ');
  return Array.from(table.matchAll(/`([^`]+)`/g), ([, message = '']) => patternOf(message));
}

/** `{n}` matches any text. */
function patternOf(message: string): RegExp {
  const parts = message
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.+')}$`, 's');
}
