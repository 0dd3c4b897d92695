/**
 * The part of an address that one client holds, as limits count it: an IPv4 address, or the /64 network of an IPv6
 * address, since a client can use any address of its network (RFC 6177).
 *
 * @param address as a socket or a proxy gives it, perhaps with a port or a zone; any other text stands for itself
 * @returns the same for what it has returned; empty if no address is known
 */
export function clientOf(address = ''): string {
  const plain = withoutPort(address);
  const groups = plain.includes(':') ? groupsOf(plain) : undefined;
  if (groups === undefined) return plain.slice(0, longestText);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return groups.slice(6).flatMap(bytesOf).join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** Whatever a proxy says is kept, so it may not be long. */
const longestText = 64;

function withoutPort(address: string): string {
  const [, bracketed, dotted] =
    /^\[([^\]]*)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address) ?? [];
  return bracketed ?? dotted ?? address;
}

/** The eight numbers of an IPv6 address (RFC 4291, 2.2); undefined for any other text. */
function groupsOf(address: string): number[] | undefined {
  const [text = ''] = address.split('%', 1);
  const halves = text.split('::');
  const [head, tail] = [groupsIn(halves[0]), groupsIn(halves[1])];
  const missing = 8 - head.length - tail.length;
  if (halves.length > 2 || missing < 0 || missing > 0 !== (halves.length === 2)) return undefined;
  const groups = [...head, ...Array.from({ length: missing }, () => 0), ...tail];
  return groups.every((group) => group <= 0xffff) ? groups : undefined;
}

function groupsIn(half = ''): number[] {
  return half === '' ? [] : half.split(':').flatMap(numbersOf);
}

/** A group of hexadecimal digits, or the two that an IPv4 address at the end stands for; not a number for other text. */
function numbersOf(group: string): number[] {
  if (/^[\da-f]{1,4}$/i.test(group)) return [Number.parseInt(group, 16)];
  const [, ...bytes] = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(group) ?? [];
  const [a = Number.NaN, b = 0, c = 0, d = 0] = bytes.map(Number);
  return [a * 256 + b, c * 256 + d];
}

function bytesOf(group: number): number[] {
  return [group >> 8, group & 0xff];
}
