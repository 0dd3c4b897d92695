import { Fragment } from 'preact';
import { Composer } from '../lazy-view.tsx';
import { isOfStore } from '../sent-request.ts';
import { methodOf, OperationList } from './operation-list.tsx';
import { referenceOf, responseOf } from './operation-reference.tsx';
import type { OpenApi } from '../openapi.ts';
import { operationOf, type Operation } from './operation.ts';
import { hrefTo } from '../route.ts';
import { Prose } from './prose.tsx';
import { Empty, useAsync } from '../ui.tsx';
import { useStudio } from '../studio.ts';
import { usageOf, usageText, type Usage } from './usage.ts';

/** The reference of both APIs: `#/docs/addOrderItem`. */
export function Docs() {
  const studio = useStudio();
  useAsync(() => studio.client.loadOpenApi(), []);
  const document = studio.client.openApi.value;
  const id = studio.router.route.value.path[0];
  if (document === undefined) return <Empty>Loading the document…</Empty>;
  const operation = id === undefined ? undefined : operationOf(document, id);
  const usage = usageOf(document, studio.history.summaries.value);
  return (
    <div class={id === undefined ? 'split' : 'split chosen'}>
      <OperationList document={document} chosen={id} />
      {id === undefined && introduction(document, studio.client.source.root)}
      {id !== undefined && operation === undefined && (
        <section class="card">
          <h1>There is no operation {id}</h1>
          <a href={hrefTo('docs')}>All operations</a>
        </section>
      )}
      {operation !== undefined && (
        <Fragment key={operation.id}>{viewOf(operation, usage.get(operation.id))}</Fragment>
      )}
    </div>
  );
}

function introduction({ info, components }: OpenApi, root: string) {
  return (
    <section class="card">
      <h1>{info.title}</h1>
      <Prose text={info.description} />
      <p>
        All paths start with <code>{root}</code>.{' '}
        <a href={`${root}/_backlot/openapi.json`}>OpenAPI document</a>
      </p>
      <h2>Authentication</h2>
      <dl class="facts">
        {Object.entries(components.securitySchemes).map(([name, { description = '' }]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <Prose text={description} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function viewOf(operation: Operation, usage: Usage | undefined) {
  const { method, path, summary, description, parameters, bodies, responses } = operation;
  const rule = `${hrefTo('rules')}?endpoint=${encodeURIComponent(`${method} ${path}`)}`;
  return (
    <div class="stack">
      <section class="card">
        <p class="back">
          <a href={hrefTo('docs')}>All operations</a>
        </p>
        <h1>{summary}</h1>
        <p class="endpoint-line">
          {methodOf(method)} <code>{path}</code> <span class="soft">{operation.id}</span>
        </p>
        {description !== summary && <Prose text={description} />}
        {isOfStore(path) && (
          <p class="row">
            <span class="grow">
              {usage === undefined
                ? 'Your app has not used it.'
                : `Your app used it ${usageText(usage)}.`}
            </span>
            <a class="button" href={rule}>
              Break it<span class="unseen">{` ${operation.id}`}</span>
            </a>
          </p>
        )}
      </section>
      <section class="card">
        <h2>Try it</h2>
        <Composer draft={{ method, url: path }} parameters={parameters} bodies={bodies} />
      </section>
      <section class="card">
        {referenceOf(operation)}
        <h2>Responses</h2>
        {responses.map(responseOf)}
      </section>
    </div>
  );
}
