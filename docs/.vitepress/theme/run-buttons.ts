import { commandsIn, runCommand } from './curl.ts';
import { sharedOffice } from './shop.ts';

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
    for (const element of document.querySelectorAll<HTMLElement>('.definition')) {
      if (element.querySelector('.run-button') !== null) continue;
      const open = () => openDefinition(element);
      const block = element.querySelector('div[class*="language-"]');
      block?.append(button(document, 'Open in the studio', 'Open again', open));
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
    element.disabled = true;
    void work().finally(() => {
      element.textContent = again;
      element.disabled = false;
    });
  });
  return element;
}

/** Opens the shop that the block of a document defines, and shows its endpoints in the studio below. */
async function openDefinition(element: HTMLElement): Promise<void> {
  const [define, { createBackOffice }, { showStudio }] = await Promise.all([
    import('backlot/define'),
    import('backlot'),
    import('backlot/devtools'),
  ]);
  const run = new Function('define', `return (async () => {${element.dataset['code']}})()`) as (
    exports: typeof define,
  ) => Promise<typeof define.storeApi>;
  const office = createBackOffice({ api: await run(define) });
  element.querySelector('.definition-studio')?.remove();
  const frame = document.createElement('div');
  frame.className = 'definition-studio';
  element.append(frame);
  showStudio(frame, office, { show: 'docs' });
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
}
