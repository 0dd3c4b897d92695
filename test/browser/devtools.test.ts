import { afterEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { startWorker, type WorkerBackOffice } from '../../src/mounts/browser.ts';
import { showDevtools, showStudio } from '../../src/mounts/devtools.ts';

// The panel of `backlot/devtools` beside a back office in the same page. test/studio has it beside a server.

let office: WorkerBackOffice;
let hide: () => void;
const styles = new CSSStyleSheet();

afterEach(async () => {
  hide();
  document.adoptedStyleSheets = [];
  await office.stop();
});

async function open(css = ''): Promise<void> {
  styles.replaceSync(css);
  document.adoptedStyleSheets = [styles];
  office = await startWorker();
  hide = showDevtools(office);
  expect(frame()).toBeNull();
  await userEvent.keyboard('{Alt>}{Shift>}b{/Shift}{/Alt}');
  await shows(/Activity\s+Orders/);
}

const host = (): HTMLElement => document.querySelector<HTMLElement>('backlot-devtools')!;
const frame = (): HTMLElement | null => host().shadowRoot!.querySelector<HTMLElement>('.frame');

/** Returns an element of the panel. */
function find(selector: string): HTMLElement | null {
  return frame()?.shadowRoot?.querySelector<HTMLElement>(selector) ?? null;
}

/** Waits until the panel shows a text. */
async function shows(text: RegExp): Promise<void> {
  await expect.poll(() => find('.studio')?.innerText).toMatch(text);
}

/** Clicks a button or a link of the panel by the start of its text. */
async function click(name: string): Promise<void> {
  const named = () =>
    Array.from(find('.studio')?.querySelectorAll<HTMLElement>('a, button') ?? []).find(
      ({ textContent }) => textContent.startsWith(name),
    );
  await expect.poll(named, { message: name }).toBeDefined();
  named()!.click();
}

test('the panel opens by its key, shows a request of the page, takes a step of an order and closes', async () => {
  await open();
  await fetch('/api/orders/99999');
  await shows(/404\s+Could not read order 99999: not found/);
  const headers = { 'content-type': 'application/json' };
  await fetch('/api/users/1', { method: 'PATCH', headers, body: '{"firstName":"Grace"}' });
  await shows(/204\s+Changed user 1[^]*PATCH \/api\/users\/1/);
  await click('Orders');
  await click('119');
  await click('Ship to Cork, Ireland of order 119');
  await expect.poll(() => office.db.orders.get(119)?.checkout_state).toBe('addressing');
  await shows(/✓ Addressing/);
  await userEvent.keyboard('{Alt>}{Shift>}b{/Shift}{/Alt}');
  expect(frame()!.hidden).toBe(true);
  expect(frame()!.checkVisibility()).toBe(false);
  hide();
  expect(document.querySelector('backlot-devtools')).toBeNull();
});

test('the key of the palette belongs to the page while the panel is closed', async () => {
  await open();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.poll(() => find('dialog')).not.toBeNull();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => find('dialog')).toBeNull();
  await userEvent.keyboard('{Alt>}{Shift>}b{/Shift}{/Alt}');
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.keyboard('{Alt>}{Shift>}b{/Shift}{/Alt}');
  await shows(/Activity/);
  expect(find('dialog')).toBeNull();
});

const hostile = `
  html { font-size: 70px }
  * { all: unset !important; display: block !important; color: rgb(255, 0, 0) !important; font-size: 60px !important;
    letter-spacing: 9px !important; direction: rtl !important; --ink: red !important; --card: red !important }
  button, a, div { display: none !important }
`;

test('the panel looks the same in a page with hostile styles', async () => {
  await open();
  const plain = await look();
  hide();
  await office.stop();
  await open(hostile);
  expect(await look()).toEqual(plain);
});

/** What the panel looks like: the place and the computed style of its main parts. */
async function look(): Promise<object> {
  await click('Orders');
  await shows(/Customer\s+Total\s+State/);
  const parts = ['.studio', 'header', 'nav a', 'h1', 'button', 'input', 'table', 'td', 'td a'];
  const elements = [host(), frame()!, ...parts.map((part) => find(part)!)];
  return elements.map((element) => {
    const { left, width, top, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const { color, backgroundColor, fontSize, fontFamily, letterSpacing, direction } = style;
    const place = [left, width, top, height].map((one) => Math.round(one));
    const { display, position } = style;
    return {
      color,
      backgroundColor,
      fontSize,
      fontFamily,
      letterSpacing,
      direction,
      place,
      display,
      position,
    };
  });
}

test('the studio is shown in an element of a page, at what the page names', async () => {
  office = await startWorker({ scenario: 'filled-cart' });
  const element = document.createElement('div');
  document.body.append(element);
  hide = showStudio(element, office, { show: 'orders/1' });
  const text = () =>
    element.firstElementChild?.shadowRoot?.querySelector<HTMLElement>('.studio')?.innerText;
  await expect.poll(text).toMatch(/Order 1\b/);
  hide();
  expect(element.childElementCount).toBe(0);
});
