import { Fragment } from 'preact';
import { Composer } from '../lazy-view.tsx';
import { isOfStore } from '../sent-request.ts';
import { methodOf, OperationList } from './operation-list.tsx';
import { referenceOf, responseOf } from './operation-reference.tsx';
import { operationHeads, type OpenApi, type OperationHead } from '../openapi.ts';
import { operationOf, type Operation } from './operation.ts';
import { hrefTo } from '../route.ts';
import { Prose } from './prose.tsx';
import { Empty, useAsync } from '../ui.tsx';
import { useStudio } from '../studio.ts';
import { isFailed, usageOf, usageText, type AllUsage, type Usage } from './usage.ts';

const authentication = 'authentication';

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
      {id === undefined && <UsedPart document={document} usage={usage} />}
      {id === authentication && introduction(document)}
      {id !== undefined && id !== authentication && operation === undefined && (
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

/** What the app uses of the API, endpoint by endpoint: what was called, what only failed, and what was never called. */
function UsedPart({ document, usage }: { readonly document: OpenApi; readonly usage: AllUsage }) {
  const studio = useStudio();
  const own = operationHeads(document).filter(({ path }) => isOfStore(path));
  const used = own.filter(({ id }) => usage.has(id));
  const failed = used.filter(({ id }) => isFailed(usage.get(id)!));
  const parts = {
    'Only failed': failed,
    Called: used.filter((one) => !failed.includes(one)),
    'Never called': own.filter(({ id }) => !usage.has(id)),
  };
  const { root } = studio.client.source;
  const { length: listed } = studio.history.summaries.value;
  return (
    <section class="card">
      <h1>{`Your app uses ${used.length} of ${own.length}`}</h1>
      <p class="soft">
        {failed.length > 0 && `${failed.length} of them only failed. `}
        {listed < studio.history.lastId.value && `Counted are the last ${listed} entries. `}
        <a href={hrefTo('docs', authentication)}>Authentication</a>
        {', '}
        <a href={`${root}/_backlot/openapi.json`}>OpenAPI document</a>
        {'. All paths start with '}
        <code>{root}</code>.
      </p>
      {Object.entries(parts).map(([title, some]) => endpointsOf(title, some, usage))}
    </section>
  );
}

function endpointsOf(title: string, operations: readonly OperationHead[], usage: AllUsage) {
  if (operations.length === 0) return null;
  return (
    <Fragment key={title}>
      <h2>{`${title}: ${operations.length}`}</h2>
      <ul class="list" aria-label={title}>
        {operations.map(({ id, method, path, summary }) => (
          <li key={id} class="row">
            {methodOf(method)}
            <a class="grow path" href={hrefTo('docs', id)}>
              {path}
            </a>
            <span class="soft">{usage.has(id) ? usageText(usage.get(id)!) : summary}</span>
          </li>
        ))}
      </ul>
    </Fragment>
  );
}

function introduction({ info, components }: OpenApi) {
  return (
    <section class="card">
      <h1>Authentication</h1>
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
      <h2>{info.title}</h2>
      <Prose text={info.description} />
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
