import type { Page } from 'playwright';

/** Drops a file of JSON on the studio. */
export async function dropFile(page: Page, name: string, content: unknown): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([file, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], file));
      return data;
    },
    [name, JSON.stringify(content)] as const,
  );
  await page.locator('#main').dispatchEvent('drop', { dataTransfer });
}
