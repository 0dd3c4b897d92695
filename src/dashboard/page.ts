/**
 * The HTML document of a page. Its style sheet and script are separate files, as its Content-Security-Policy requires.
 *
 * @param root the relative path from the page to `/_backlot/`: `./`
 * @param head markup to append to the head
 */
export function page(title: string, body: string, root: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}page.css">${head}
</head>
<body>
${body}
</body>
</html>
`;
}

/** Escapes text for use in markup and attributes. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
