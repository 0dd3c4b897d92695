import type { DocumentedResponse, FieldGroup, Operation } from './operation.ts';
import { Prose } from './prose.tsx';
import { Disclosure } from '../ui.tsx';
import { Json } from '../json.tsx';

/** The parameters of an operation and the fields of its body. */
export function referenceOf({ parameters, body }: Operation) {
  const fields = parameters.map((one) => ({
    ...one,
    type: one.in === 'path' ? `${one.type}, in the path` : one.type,
  }));
  return (
    <>
      {fields.length > 0 && (
        <>
          <h2>Parameters</h2>
          {fieldTable('Parameters', fields)}
        </>
      )}
      {bodyOf('Body', body)}
    </>
  );
}

function bodyOf(of: string, groups: readonly FieldGroup[]) {
  return groups
    .filter(({ fields }) => fields.length > 0)
    .map(({ title, fields }) => (
      <div key={title}>
        <h2>{title === '' ? of : `${of}: ${title}`}</h2>
        {fieldTable(`Fields of ${of} ${title}`, fields)}
      </div>
    ));
}

function fieldTable(caption: string, fields: FieldGroup['fields']) {
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
export function responseOf({ status, description, example, body }: DocumentedResponse) {
  const title = (
    <>
      <b class={Number(status) < 400 ? 'ok' : 'bad'}>{status}</b> {description}
    </>
  );
  if (example === undefined && body.length === 0)
    return (
      <p key={status} class="leaf">
        {title}
      </p>
    );
  return (
    <Disclosure key={status} title={title}>
      {example !== undefined && <Json label={`Example of a response ${status}`} value={example} />}
      {bodyOf(`Response ${status}`, body)}
    </Disclosure>
  );
}
