import { scopeOf, type Host } from './load.ts';
import { commandsIn, runCommand } from './curl.ts';
import { sharedOffice, type Office } from './shop.ts';

/** Pages whose examples need another scenario than the default. */
const scenarios: Readonly<Record<string, string>> = { authentication: 'authenticated' };

/** A block of a page that can be run. */
interface Block {
  readonly code: HTMLElement;
  readonly commands: readonly string[];
}

/** The blocks of the page that is shown, in their order. */
let blocks: Block[] = [];

/** Gives each block with commands of curl a button that runs them in a back office of the page. */
export function addRunButtons(document: Document): void {
  const add = () => {
    blocks = blocks.filter(({ code }) => code.isConnected);
    for (const element of document.querySelectorAll<HTMLElement>(
      '.vp-doc div[class*="language-"]',
    )) {
      const code = element.querySelector('code');
      if (code === null || element.querySelector('.run-button') !== null) continue;
      const commands = commandsIn(code.innerText);
      if (commands.length === 0) continue;
      const block = { code, commands };
      blocks.push(block);
      element.append(button(document, 'Run', 'Run again', () => run(block)));
    }
    for (const element of document.querySelectorAll<HTMLElement>('.definition, .script')) {
      if (element.querySelector('.run-button') !== null) continue;
      const block = element.querySelector('div[class*="language-"]');
      const isDefinition = element.className === 'definition';
      const work = () => (isDefinition ? openDefinition(element) : runScript(element));
      const title = isDefinition ? 'Open in the studio' : 'Run';
      block?.append(button(document, title, isDefinition ? 'Open again' : 'Run again', work));
    }
  };
  new MutationObserver(add).observe(document.documentElement, { childList: true, subtree: true });
  add();
}

function button(
  document: Document,
  title: string,
  again: string,
  work: () => Promise<void>,
): HTMLButtonElement {
  const element = document.createElement('button');
  Object.assign(element, { type: 'button', className: 'run-button', textContent: title });
  element.addEventListener('click', () => {
    if (element.ariaBusy === 'true') return;
    // A disabled button would lose the focus of the keyboard.
    element.ariaBusy = 'true';
    void work().finally(() => {
      element.textContent = again;
      element.ariaBusy = 'false';
    });
  });
  return element;
}

/** Runs the function that a block was built to, and returns what the block exports. */
async function evaluate(element: HTMLElement, host: Host): Promise<{ default?: unknown }> {
  const scope = scopeOf(host);
  const body = `return (async () => {${element.dataset['code']}})()`;
  const run = new Function(...Object.keys(scope), body) as (
    ...values: unknown[]
  ) => Promise<{ default?: unknown }>;
  return run(...Object.values(scope));
}

/** Opens the shop that a block defines, and shows its endpoints in the studio below. */
async function openDefinition(element: HTMLElement): Promise<void> {
  const { createBackOffice } = await import('backlot');
  const { default: api } = await evaluate(element, { print: () => undefined, office: undefined });
  const office = createBackOffice({ api } as Parameters<typeof createBackOffice>[0]);
  await showOffice(element, office, 'docs');
}

/** Runs a block, prints what it shows below it, and offers the studio of the shop that it has opened. */
async function runScript(element: HTMLElement): Promise<void> {
  const output = element.ownerDocument.createElement('pre');
  output.className = 'script-output';
  const print = (line: string): void => output.append(`${line}\n`);
  const host: Host = { print, office: undefined };
  element.querySelector('.script-output')?.remove();
  element.querySelector('.definition-studio')?.remove();
  element.append(output);
  try {
    await evaluate(element, host);
  } catch (error) {
    print(`✗ ${error instanceof Error ? error.message : String(error)}`);
  }
  if (output.textContent === '') print('✓');
  const { office } = host;
  if (office === undefined) return;
  const open = button(element.ownerDocument, 'Open in the studio', 'Open again', () =>
    showOffice(element, office, 'activity'),
  );
  output.append(open);
}

/** Shows the studio of a shop below a block: at the end of its element, or after it. */
async function showOffice(
  element: HTMLElement,
  office: Office,
  show: string,
  place: 'append' | 'after' = 'append',
): Promise<void> {
  const { showStudio } = await import('backlot/devtools');
  const last = place === 'after' ? element.nextElementSibling : element.lastElementChild;
  if (last?.className === 'definition-studio') last.remove();
  const frame = element.ownerDocument.createElement('div');
  frame.className = 'definition-studio';
  element[place](frame);
  showStudio(frame, office, { show });
}

/** Runs a block in a new shop, after those before it, and shows what each command prints. */
async function run(block: Block): Promise<void> {
  const [, page = ''] = /(\w[\w-]*)(?:\.html)?$/.exec(location.pathname) ?? [];
  const office = await sharedOffice();
  office.reset((scenarios[page] ?? 'default') as 'default');
  const before = blocks.slice(0, blocks.indexOf(block)).flatMap(({ commands }) => commands);
  for (const command of before) await runCommand(office, command);
  const lines: string[] = [];
  for (const command of block.commands) {
    lines.push(`$ ${command}`, await runCommand(office, command));
    block.code.textContent = lines.join('\n');
  }
  const element = block.code.closest<HTMLElement>('div[class*="language-"]');
  if (element === null || element.querySelector('.studio-button') !== null) return;
  const open = button(element.ownerDocument, 'Open in the studio', 'Open again', () =>
    showOffice(element, office, 'activity', 'after'),
  );
  open.classList.add('studio-button');
  element.append(open);
}
