import { useState } from 'preact/hooks';
import { SelectField, TextField } from '../form.tsx';
import { parseJson } from '../../engine/lib/json-value.ts';
import { headerLines, Response } from './response.tsx';
import { masked, unmasked } from './masked-body.ts';
import type { BodyExample, Parameter } from '../docs/operation.ts';
import {
  asCurl,
  asFetch,
  filledUrl,
  headersOf,
  isOfStore,
  type ComposerProps,
  type Draft,
  type SentRequest,
} from '../sent-request.ts';
import type { Reply } from '../source.ts';
import { unfold } from '../scroller.ts';
import { shopRoot } from '../session-panel.tsx';
import { Button, CopyButton, Disclosure } from '../ui.tsx';
import { useStudio, type Studio } from '../studio.ts';

/** A form for one request, which shows the response. Docs and "Send again" share it. */
export function Composer({ draft, parameters, bodies }: ComposerProps) {
  const studio = useStudio();
  const [url, setUrl] = useState(draft.url);
  const [values, setValues] = useState(() => examplesOf(parameters ?? []));
  const [headers, setHeaders] = useState(() => headerLines(draft.headers ?? {}));
  const [body, setBody] = useState(() => bodies?.[0]?.text ?? textOf(unmasked(studio, draft.body)));
  const [reply, setReply] = useState<Reply<unknown>>();
  const isStore = isOfStore(draft.url);
  const sent: SentRequest = {
    method: draft.method,
    url: parameters === undefined ? url : filledUrl(draft.url, parameters, values),
    headers: {
      ...(isStore &&
        studio.token.value !== '' && { authorization: `Bearer ${studio.token.value}` }),
      ...headersOf(headers),
    },
    body,
  };
  const line = `${sent.method} ${sent.url}`;
  return (
    <div class="composer" ref={parameters === undefined ? unfold : null}>
      {parameters === undefined ? (
        <TextField label="Path and query" value={url} onValue={setUrl} class="wide mono" />
      ) : (
        parameterFields(parameters, values, setValues)
      )}
      {takesBody(draft, bodies) && bodyField(body, setBody, bodies)}
      <Disclosure title="Headers" open={headers !== ''}>
        <label class="wide">
          <span class="unseen">Headers of the request</span>
          <textarea
            rows={2}
            class="mono"
            placeholder="Prefer: status=503, delay=2s"
            value={headers}
            onInput={(event) => setHeaders(event.currentTarget.value)}
          />
        </label>
      </Disclosure>
      {masked.test(textOf(draft.body)) && (
        <p class="warn">Secrets are not recorded: a test card is filled in.</p>
      )}
      {isStore && (studio.token.value !== '' || reply?.status === 401) && (
        <TextField
          label={`Token of the ${studio.shop.apiName.value} API`}
          hint="from POST /oauth/v2/token"
          value={studio.token.value}
          onValue={(text) => (studio.token.value = text)}
        />
      )}
      <p class="sent-line">
        <code>{line}</code>
      </p>
      <div class="row">
        <Button kind="primary" of={line} onClick={() => send(studio, sent, setReply)}>
          Send
        </Button>
        <CopyButton of={line} text={() => Promise.resolve(asCurl(sent, shopRoot(studio)))}>
          Copy as curl
        </CopyButton>
        <CopyButton of={line} text={() => Promise.resolve(asFetch(sent, shopRoot(studio)))}>
          Copy as fetch
        </CopyButton>
      </div>
      <div role="status">{reply !== undefined && <Response reply={reply} />}</div>
    </div>
  );
}

/** Sends a request. One that may have written can be undone. */
async function send(
  studio: Studio,
  { method, url, headers, body }: SentRequest,
  onReply: (reply: Reply<unknown>) => void,
): Promise<void> {
  const run = async () => {
    const hasBody = body !== '' && method !== 'GET';
    const type = hasBody ? { 'content-type': 'application/json' } : {};
    const all = { ...type, ...headers };
    const reply = await studio.client.call<unknown>(
      `${method} ${url}`,
      hasBody ? body : undefined,
      all,
    );
    onReply(reply);
    return reply;
  };
  if (method === 'GET') await run();
  else await studio.actions.act(`${method} ${url}`, `${method} ${url}`, undefined, run);
}

function parameterFields(
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
  onValues: (values: Readonly<Record<string, string>>) => void,
) {
  const isFew = parameters.length <= 6;
  const [others, first] = [false, true].map((is) =>
    parameters
      .filter(({ isRequired, example }) => (isFew || isRequired || example !== '') === is)
      .map(({ name, values: choices, isRequired }) => {
        const field = {
          label: name,
          value: values[name] ?? '',
          onValue: (value: string) => onValues({ ...values, [name]: value }),
        };
        return choices.length > 0 ? (
          <SelectField key={name} {...field} values={isRequired ? choices : ['', ...choices]} />
        ) : (
          <TextField key={name} {...field} required={isRequired} />
        );
      }),
  );
  return (
    <>
      {first && first.length > 0 && <div class="fields">{first}</div>}
      {others && others.length > 0 && (
        <Disclosure title={`${others.length} more parameters`}>
          <div class="fields">{others}</div>
        </Disclosure>
      )}
    </>
  );
}

function bodyField(
  body: string,
  onBody: (body: string) => void,
  bodies: readonly BodyExample[] = [],
) {
  const titles = Object.fromEntries(bodies.map(({ title }, at) => [String(at), title]));
  const chosen = bodies.findIndex(({ text }) => text === body);
  return (
    <>
      {bodies.length > 1 && (
        <SelectField
          label="Example"
          value={chosen === -1 ? '' : String(chosen)}
          values={[...(chosen === -1 ? [''] : []), ...Object.keys(titles)]}
          titles={{ ...titles, '': 'changed' }}
          onValue={(at) => onBody(bodies[Number(at)]?.text ?? body)}
        />
      )}
      <label class="wide">
        <span>
          Body <span class="soft">{isJson(body) ? 'JSON' : 'not JSON: sent as it is'}</span>
        </span>
        <textarea
          class="mono"
          rows={Math.min(14, Math.max(3, body.split('\n').length))}
          spellcheck={false}
          value={body}
          onInput={(event) => onBody(event.currentTarget.value)}
        />
      </label>
    </>
  );
}

function examplesOf(parameters: readonly Parameter[]): Record<string, string> {
  return Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
}

function textOf(body: unknown): string {
  if (body === undefined || body === null) return '';
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2);
}

function isJson(text: string): boolean {
  return text === '' || parseJson(text) !== undefined;
}

function takesBody({ method }: Draft, bodies: readonly BodyExample[] | undefined): boolean {
  return bodies === undefined ? method !== 'GET' : bodies.length > 0;
}
