import type { Page } from 'playwright';

/**
 * Counts the bytes of a page that came over the network, compressed as they are, with headers.
 *
 * @returns the function that returns their number so far
 */
export async function countReceived(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  const streams = new Set<string>();
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType === 'text/event-stream') streams.add(requestId);
  });
  // A stream has no end, and is not compressed. Of others, this event has the size after decompression only.
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    if (streams.has(requestId)) bytes += dataLength;
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!streams.has(requestId)) bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return () => bytes;
}
