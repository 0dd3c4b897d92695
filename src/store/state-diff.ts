import type { OrderedMap } from './ordered-map.ts';
import type { Node } from './ordered-tree.ts';
import type { Row } from './row.ts';
import type { TableState } from './table-state.ts';

/** A row before and after; undefined before it was inserted and after it was removed. */
export interface RowDifference {
  readonly id: number;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/**
 * Returns the live rows in which two states of a table differ, by id. The cost depends on what the states do not share:
 * a state and the one after a write share all nodes of their trees but a few.
 */
export function differencesOf(before: TableState, after: TableState): RowDifference[] {
  if (before.rows === after.rows || before.rows.root === after.rows.root) return [];
  const removed = ownRows(before.rows, after.rows);
  const added = ownRows(after.rows, before.rows);
  const differences: RowDifference[] = [];
  for (const [id, row] of removed)
    if (added.get(id) !== row) differences.push({ id, before: row, after: added.get(id) });
  for (const [id, row] of added)
    if (!removed.has(id)) differences.push({ id, before: undefined, after: row });
  return differences.toSorted((one, other) => one.id - other.id);
}

/** Returns the rows in the nodes of one map that another map does not have. */
function ownRows(
  map: OrderedMap<number, Row>,
  other: OrderedMap<number, Row>,
): ReadonlyMap<number, Row> {
  const shared = new Set<Node<number, Row>>();
  collectNodes(other.root, shared);
  const rows = new Map<number, Row>();
  collectRows(map.root, shared, rows);
  return rows;
}

function collectNodes(node: Node<number, Row>, nodes: Set<Node<number, Row>>): void {
  nodes.add(node);
  if (node.sizes !== undefined) for (const child of node.items) collectNodes(child, nodes);
}

function collectRows(
  node: Node<number, Row>,
  shared: ReadonlySet<Node<number, Row>>,
  rows: Map<number, Row>,
): void {
  if (shared.has(node)) return;
  if (node.sizes === undefined) for (const row of node.items) rows.set(row.id, row);
  else for (const child of node.items) collectRows(child, shared, rows);
}
