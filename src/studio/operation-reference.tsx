import type { DocumentedResponse, FieldGroup, Operation } from './openapi.ts';
import { Prose } from './prose.tsx';
import { Disclosure, Json } from './ui.tsx';

/** The parameters of an operation and the fields of its body. */
export function Reference({ operation: { parameters, body } }: { readonly operation: Operation }) {
  return (
    <>
      {parameters.length > 0 && (
        <>
          <h2>Parameters</h2>
          <FieldTable
            caption="Parameters"
            fields={parameters.map((one) => ({
              ...one,
              type: one.in === 'path' ? `${one.type}, in the path` : one.type,
            }))}
          />
        </>
      )}
      {body.map((group) => (
        <BodyGroup key={group.title} group={group} />
      ))}
    </>
  );
}

function BodyGroup({ group: { title, fields } }: { readonly group: FieldGroup }) {
  if (fields.length === 0) return null;
  return (
    <>
      <h2>Body{title === '' ? '' : `: ${title}`}</h2>
      <FieldTable caption={`Fields of the body: ${title}`} fields={fields} />
    </>
  );
}

function FieldTable({
  fields,
  caption,
}: {
  readonly fields: FieldGroup['fields'];
  readonly caption: string;
}) {
  return (
    <dl class="facts" aria-label={caption}>
      {fields.map(({ name, type, isRequired, description }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <span class="soft">
              {type}
              {isRequired ? ', required' : ''}
            </span>{' '}
            <Prose text={description} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A response with its example. */
export function ResponseDetails({ response }: { readonly response: DocumentedResponse }) {
  const { status, description, example } = response;
  const title = (
    <>
      <b class={Number(status) < 400 ? 'good' : 'bad'}>{status}</b> {description}
    </>
  );
  if (example === undefined) return <p class="leaf">{title}</p>;
  return (
    <Disclosure title={title}>
      <Json label={`Example of a response ${status}`} value={example} />
    </Disclosure>
  );
}
