/** Text with `code` in backticks; lines that start with `- ` are a list. */
export function Prose({ text }: { readonly text: string }) {
  const lines = text.split('\n');
  if (lines.length === 1) return <span>{withCode(text)}</span>;
  return (
    <ul>
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
