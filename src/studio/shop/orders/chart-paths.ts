import type { Position } from './chart-layouts.ts';

export const boxWidth = 92;
export const boxHeight = 28;
export const gapX = 21;
export const gapY = 20;
export const margin = 3;
/** All charts have the same width, so that their boxes have the same size. */
export const maxColumns = 5;
export const stepX = boxWidth + gapX;
export const stepY = boxHeight + gapY;

/** Returns the upper left corner of a box. */
export function cornerOf([column, row]: Position): readonly [x: number, y: number] {
  return [margin + column * stepX, margin + row * stepY];
}

/** A line from one box to another that crosses no box: it goes between the columns and between the rows. */
export function pathOf(start: Position = [0, 0], end: Position = [0, 0]): string {
  const [[x1, y1], [x2, y2]] = [cornerOf(start), cornerOf(end)];
  const [cy1, cy2] = [y1 + boxHeight / 2, y2 + boxHeight / 2];
  const columns = end[0] - start[0];
  const rows = end[1] - start[1];
  const isDown = rows > 0;
  if (columns === 0) {
    const cx = x1 + boxWidth / 2;
    const side = x1 - gapX;
    if (Math.abs(rows) > 1) return `M${x1} ${cy1}C${side} ${cy1} ${side} ${cy2} ${x1} ${cy2}`;
    return `M${cx} ${isDown ? y1 + boxHeight : y1}L${cx} ${isDown ? y2 : y2 + boxHeight}`;
  }
  if (rows === 0 && Math.abs(columns) > 1) {
    const top = y1 - gapY + 2;
    const quarter = (x2 - x1) / 4;
    const [cx1, cx2] = [x1 + boxWidth / 2, x2 + boxWidth / 2];
    return `M${cx1} ${y1}C${cx1 + quarter} ${top} ${cx2 - quarter} ${top} ${cx2} ${y2}`;
  }
  const isForward = columns > 0;
  const bend = isForward ? gapX : -gapX;
  const sx = isForward ? x1 + boxWidth : x1;
  const ex = (isForward ? x2 : x2 + boxWidth) - bend;
  const turn = (x: number, from: number, to: number) =>
    `C${x + bend} ${from} ${x} ${to} ${x + bend} ${to}`;
  if (Math.abs(columns) === 1) return `M${sx} ${cy1}${turn(sx, cy1, cy2)}`;
  const lane = cy1 + (isDown ? stepY / 2 : -stepY / 2);
  return `M${sx} ${cy1}${turn(sx, cy1, lane)}L${ex} ${lane}${turn(ex, lane, cy2)}`;
}
