/** Text with `code` in backticks. Several lines are paragraphs, or a list if each of them starts with `- `. */
export function Prose({ text }: { readonly text: string }) {
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length === 1) return <span>{withCode(text)}</span>;
  if (!lines.every((line) => line.startsWith('- ')))
    return (
      <>
        {lines.map((line) => (
          <p key={line}>{withCode(line)}</p>
        ))}
      </>
    );
  return (
    <ul class="prose">
      {lines.map((line) => (
        <li key={line}>{withCode(line.replace(/^- /, ''))}</li>
      ))}
    </ul>
  );
}

function withCode(text: string) {
  return text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? <code key={`${at} ${part}`}>{part}</code> : part));
}
