/** A picture of an animation. */
export interface Frame {
  /** A WebP file of one picture. */
  readonly webp: Buffer;
  /** Where its left and top edges are, in pixels. Both are even. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How long it is shown, in milliseconds. */
  readonly duration: number;
}

/**
 * Returns an animated WebP file, which repeats for ever. Each frame covers what is below it.
 *
 * @see https://developers.google.com/speed/webp/docs/riff_container#animation
 */
export function animatedWebp(frames: readonly Frame[], width: number, height: number): Buffer {
  const isAnimated = 0b10;
  const header = Buffer.concat([
    Buffer.from([isAnimated, 0, 0, 0]),
    uint24(width - 1),
    uint24(height - 1),
  ]);
  const parts = [chunk('VP8X', header), chunk('ANIM', Buffer.alloc(6)), ...frames.map(frameChunk)];
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts]));
}

function frameChunk({ webp, x, y, width, height, duration }: Frame): Buffer {
  const coversAll = 0b10;
  const place = [x / 2, y / 2, width - 1, height - 1, duration].map((value) => uint24(value));
  return chunk('ANMF', Buffer.concat([...place, Buffer.from([coversAll]), pictureOf(webp)]));
}

/** The chunk with the pixels of a WebP file. @throws Error if there is none */
function pictureOf(webp: Buffer): Buffer {
  let at = 12;
  while (at < webp.length) {
    const size = webp.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (/^VP8[ L]$/.test(webp.toString('latin1', at, at + 4))) return webp.subarray(at, end);
    at = end;
  }
  throw new Error('This is not a WebP file with a picture');
}

function chunk(name: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(name), size, content, Buffer.alloc(content.length % 2)]);
}

function uint24(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}
