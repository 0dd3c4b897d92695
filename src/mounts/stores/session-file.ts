import { constants } from 'node:fs';
import { crc32 } from 'node:zlib';

/** What the first line of each file begins with. */
const mark = 'Backlot session ';

/** The length of a file's beginning that tells whose it is. */
export const markLength = mark.length;

const format = '2';

/** Returns the content of a file: a line with a mark, the format and a checksum, then the text. */
export function encodeFile(text: string): string {
  return `${mark}${format} ${checksum(text)}\n${text}`;
}

/** Returns undefined for a content that `encodeFile` of this format has not made, or that is damaged. */
export function decodeFile(content: string): string | undefined {
  const end = content.indexOf('\n');
  const text = content.slice(end + 1);
  return end > 0 && content === encodeFile(text) ? text : undefined;
}

/** Whether a store has made a file, whatever the rest of it is. */
export function isMarked(beginning: string): boolean {
  return beginning.startsWith(mark);
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** The ends of the names of all files that a store makes. */
export const suffixes = {
  session: '.backlot-session',
  /** Written before it replaces the file of a session. */
  half: '.backlot-session.tmp',
  lock: '.backlot-lock',
} as const;

/** The name of the lock of a folder. */
export const lockName = `owner${suffixes.lock}`;

/** Matches the names of files that a store has made, also of those that it has set aside. */
export const ownName = /\.backlot-(session(\.tmp)?(\.damaged-\d+)?|lock)$/;

/** Matches what is escaped: some file systems ignore case, and Windows opens a device for `con` with any extension. */
const escaped = /[^a-z\d_~-]|^(?:c(?=on$|om\d$)|p(?=rn$)|a(?=ux$)|n(?=ul$)|l(?=pt\d$))/g;

/** Returns the name of the file of a session. */
export function fileNameOf(key: string): string {
  const name = key.replaceAll(escaped, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `${name}${suffixes.session}`;
}

/** Returns the key of a session by the name of its file; undefined for a name that `fileNameOf` does not return. */
export function keyOf(fileName: string): string | undefined {
  const name = fileName.slice(0, -suffixes.session.length);
  const key = name.replaceAll(/%([\da-f]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return key !== '' && fileNameOf(key) === fileName ? key : undefined;
}

/** Opens neither the target of a link nor waits for the other end of a pipe. Windows has no such flags. */
const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export const [readFlags, writeFlags] = [
  constants.O_RDONLY | careful,
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | careful,
];

/** Returns a text for the terminal: names of files can have any characters. */
export function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, '?');
}
