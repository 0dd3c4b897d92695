import type { Page } from 'playwright';

/** Drops a file of JSON on the studio. */
export function dropFile(page: Page, name: string, content: unknown): Promise<void> {
  return dropText(page, name, JSON.stringify(content));
}

/** Drops a file on the studio. */
export async function dropText(page: Page, name: string, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([file, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], file));
      return data;
    },
    [name, content] as const,
  );
  await page.locator('#main').dispatchEvent('drop', { dataTransfer });
}
