import type { ApiDefinition } from '../definition/api.ts';
import { addressOf } from '../lib/api-path.ts';
import { tagOf } from '../rest/openapi.ts';

/**
 * Returns what an agent needs to use a server, as https://llmstxt.org has it: the endpoints, and how to read little.
 *
 * @param prefix the path in front of `/api` and `/_backlot`
 */
export function llmsText(api: ApiDefinition, prefix: string): string {
  const control = `${prefix}/_backlot`;
  const tags = Map.groupBy(api.endpoints, ({ path }) => tagOf(path));
  const endpoints = Array.from(tags, ([tag, rows]) => {
    const lines = rows.map(
      ({ method, path, step, summary }) =>
        `- ${method} ${prefix}${addressOf(api.path, path)}${step === undefined ? '' : ` (${step})`}: ${summary}`,
    );
    return `## ${tag}\n\n${lines.join('\n')}`;
  });
  const path = '/_backlot/transitions/:machine/:id';
  const hasTransitions = api.control?.parts().endpoints.some((row) => row.path === path) === true;
  const names = api.machines.map(({ name }) => name).join(', ');
  const transitions = hasTransitions
    ? `- Transitions of ${names}: \`GET ${prefix}${path}\` lists them, those that are possible with the request that applies each\n`
    : '';
  return `# Backlot

> A mock server. Its API is at ${prefix}${api.path}, its control API at ${control}. Read parts, because the document of all operations is long.

- One operation: [openapi.json?only=](${control}/openapi.json?only=${[...tags.keys()][0] ?? ''}) with its method and path, its id, or a tag
- What a request changed, why it was refused and what is next: the header \`Prefer: return=minimal\`
- The same of recorded requests: [the list](${control}/journal?view=summary&limit=20), then [one](${control}/journal/1?view=brief)
- States: [the list](${control}/states); \`POST ${control}/states/:name\` opens one
${transitions}- A shop for one task: the header \`X-Backlot-Session: <name>\`; \`POST ${control}/reset\` begins it again
- [Documentation](https://backlot-dev.github.io/backlot/llms.txt)

${endpoints.join('\n\n')}
`;
}
