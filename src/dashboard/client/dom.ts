/** What `el` accepts as properties of an element, such as `className` or `onclick`. */
type Properties = Readonly<Record<string, unknown>>;

/** Returns the element with this id. @throws Error if the page has none */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`The page has no ${kind.name} with the id ${id}`);
}

export function setText(id: string, text: string): void {
  byId(id, HTMLElement).textContent = text;
}

/** Creates an element. Texts become text nodes, never markup. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** One row of a list: a text and its buttons. */
export function row(
  id: string,
  text: Node | string,
  ...buttons: readonly HTMLButtonElement[]
): HTMLElement {
  return el('div', { id, className: 'row' }, el('span', { className: 'grow' }, text), ...buttons);
}

/**
 * Makes these elements the children of a part of the page. Without elements, it shows `emptyText`.
 *
 * Elements that do not change stay in place, so that a button does not move while the pointer is on it. Elements of a
 * record have an id, so that a pressed button never becomes the button of another record.
 */
export function render(id: string, children: readonly HTMLElement[], emptyText: string): void {
  const shown = children.length > 0 ? children : [el('p', { className: 'soft' }, emptyText)];
  reconcile(byId(id, HTMLElement), shown);
}

/** Updates the children of an element like a keyed virtual DOM: by id, or else by position. */
function reconcile(parent: HTMLElement, children: readonly Node[]): void {
  const ids = new Set(children.map(idOf));
  for (const child of Array.from(parent.childNodes)) {
    const id = idOf(child);
    if (id !== '' && !ids.has(id)) child.remove();
  }
  for (const [index, child] of children.entries()) place(parent, index, child);
  while (parent.childNodes.length > children.length) parent.lastChild?.remove();
}

/** Puts a child at this position, or updates the element that is already in the page. */
function place(parent: HTMLElement, index: number, child: Node): void {
  const current = parent.childNodes[index];
  const id = idOf(child);
  const old = id === '' ? current : document.getElementById(id);
  if (old?.cloneNode().isEqualNode(child.cloneNode()) === true) {
    if (old !== current) parent.insertBefore(old, current ?? null);
    if (old instanceof HTMLElement && child instanceof HTMLElement) {
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- replaces the former handler
      old.onclick = child.onclick;
      reconcile(old, Array.from(child.childNodes));
    }
  } else if (current instanceof Element && idOf(current) === '') {
    current.replaceWith(child);
  } else if (current instanceof Text) {
    current.replaceWith(child);
  } else {
    parent.insertBefore(child, current ?? null);
  }
}

function idOf(node: Node): string {
  return node instanceof Element ? node.id : '';
}
