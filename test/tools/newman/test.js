// Converts the document to a Postman collection, and sends all its requests.
import { readFileSync } from 'node:fs';
import newman from 'newman';
import Converter from 'openapi-to-postmanv2';

const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
// newman waits for the end of a response, and a stream of events has none.
delete document.paths['/_backlot/events'];
document.servers = [{ url: process.env.BACKLOT_URL }];
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

const executions = await run(await collectionOf(document));
const surprises = executions.flatMap(({ request, response, requestError }) => {
  const line = `${request.method} /${request.url.path.join('/')}`;
  if (response === undefined) return `${line}: ${requestError}`;
  const { responses } = operationOf(request.method, `/${request.url.path.join('/')}`) ?? {};
  return responses?.[response.code] === undefined ? `${line}: ${response.code}` : [];
});
if (executions.length !== operations.length) {
  surprises.push(`${executions.length} requests for ${operations.length} operations`);
}
if (surprises.length > 0) {
  console.error(surprises.join('\n'));
  process.exit(1);
}
console.log(`note: ${executions.length} requests, all with documented responses`);
process.exit(0);

function collectionOf(data) {
  const options = { requestParametersResolution: 'Example', folderStrategy: 'Tags' };
  return new Promise((resolve, reject) => {
    Converter.convert({ type: 'json', data }, options, (error, { result, reason, output } = {}) => {
      if (result === true) resolve(output[0].data);
      else reject(error ?? new Error(reason));
    });
  });
}

function run(collection) {
  return new Promise((resolve, reject) => {
    newman.run({ collection, timeoutRequest: 20_000 }, (error, summary) => {
      if (error === null) resolve(summary.run.executions);
      else reject(error);
    });
  });
}

/** Returns the operation of a request. A literal path takes precedence over one with parameters. */
function operationOf(method, path) {
  const found = operations.filter(
    (one) => one.method === method.toLowerCase() && patternOf(one.path).test(path),
  );
  return found.toSorted((one, other) => parametersIn(one) - parametersIn(other))[0]?.operation;
}

function patternOf(path) {
  return new RegExp(`^${path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
}

function parametersIn({ path }) {
  return path.split('{').length;
}
