import type { DocumentedResponse, FieldGroup, Operation } from './operation.ts';
import { Prose } from './prose.tsx';
import { Disclosure } from '../ui.tsx';
import { Json } from '../json.tsx';

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
      <Body groups={body} of="Body" />
    </>
  );
}

function Body({ groups, of }: { readonly groups: readonly FieldGroup[]; readonly of: string }) {
  return (
    <>
      {groups.map(
        ({ title, fields }) =>
          fields.length > 0 && (
            <div key={title}>
              <h2>{title === '' ? of : `${of}: ${title}`}</h2>
              <FieldTable caption={`Fields of ${of} ${title}`} fields={fields} />
            </div>
          ),
      )}
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

/** A response with its example and its fields. */
export function ResponseDetails({ response }: { readonly response: DocumentedResponse }) {
  const { status, description, example, body } = response;
  const title = (
    <>
      <b class={Number(status) < 400 ? 'ok' : 'bad'}>{status}</b> {description}
    </>
  );
  if (example === undefined && body.length === 0) return <p class="leaf">{title}</p>;
  return (
    <Disclosure title={title}>
      {example !== undefined && <Json label={`Example of a response ${status}`} value={example} />}
      <Body groups={body} of={`Response ${status}`} />
    </Disclosure>
  );
}
