import type { createBackOffice } from 'backlot';

/** The back office of the page: what buttons and blocks talk to. */
export type Office = ReturnType<typeof createBackOffice>;

const start = 'filled-cart';

let opened: Promise<Office> | undefined;

/** Opens the shop that examples of a page call, once. */
export function sharedOffice(): Promise<Office> {
  return (opened ??= import('backlot').then((backlot) =>
    backlot.createBackOffice({ history: true }),
  ));
}

/** Opens the shop of the front page: the state that the link holds, or a cart. */
export async function openShop(): Promise<Office> {
  const backlot = await import('backlot');
  const kept = await unpack(location.hash);
  try {
    return backlot.createBackOffice({ scenario: (kept ?? start) as 'default', history: true });
  } catch {
    // A link of another version, or a damaged one.
    return backlot.createBackOffice({ scenario: start, history: true });
  }
}

/** Returns the hash of a link that holds the state of a shop: its scenario and what was changed, compressed. */
export async function stateLink(office: Office): Promise<string> {
  const response = await office.fetch('/_backlot/journal/export?as=scenario');
  const stream = new Blob([await response.text()]).stream();
  const packed = await new Response(
    stream.pipeThrough(new CompressionStream('deflate-raw')),
  ).arrayBuffer();
  const text = btoa(String.fromCharCode(...new Uint8Array(packed)));
  return `#state=${text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** Returns the scenario in the hash of a link, if it holds a readable one. */
async function unpack(hash: string): Promise<unknown> {
  const packed = /^#state=([\w-]+)$/.exec(hash)?.[1];
  if (packed === undefined) return undefined;
  try {
    const text = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return await new Response(stream).json();
  } catch {
    return undefined;
  }
}
