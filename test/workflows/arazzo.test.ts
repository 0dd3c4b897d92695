import { expect, test } from 'vitest';
import { documentedEndpoints, openapi } from '../../src/engine/sessions/openapi.ts';
import { storeApi } from '../../src/shop/store-api.ts';
import { arazzoOf } from '../../src/cli/arazzo-document.ts';
import { workflows } from '../../src/shop/workflows/index.ts';

const document = openapi(storeApi, '1.2.3', documentedEndpoints(storeApi));
const printed = arazzoOf(workflows, { openapi: document, server: 'http://127.0.0.1:4100/demo' });

interface Printed {
  readonly workflowId: string;
  readonly inputs: { readonly properties: object };
  readonly steps: readonly { readonly stepId: string; readonly operationId: string }[];
}

const described = printed.workflows as unknown as readonly Printed[];

test('an Arazzo document has the version of the server and the URL of its OpenAPI document', () => {
  expect(printed).toMatchObject({
    arazzo: '1.0.1',
    info: { version: '1.2.3' },
    sourceDescriptions: [{ url: 'http://127.0.0.1:4100/demo/_backlot/openapi.json' }],
  });
});

test.each(described)('the steps of $workflowId name operations of the OpenAPI document', (one) => {
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(one.steps.filter(({ operationId }) => !operations.includes(operationId))).toEqual([]);
  const ids = one.steps.map(({ stepId }) => stepId);
  expect(ids).toEqual([...new Set(ids)]);
});

test.each(described)(
  'the expressions of $workflowId name its inputs and earlier outputs',
  (one) => {
    const known = new Set(Object.keys(one.inputs.properties).map((name) => `inputs.${name}`));
    for (const step of one.steps) {
      const used = JSON.stringify(step).matchAll(/\$((?:inputs|steps)\.[\w.]+)/g);
      expect([...used].map(([, name = '']) => name).filter((name) => !known.has(name))).toEqual([]);
      const { outputs = {} } = step as { readonly outputs?: object };
      for (const name of Object.keys(outputs)) known.add(`steps.${step.stepId}.outputs.${name}`);
    }
  },
);

test('a step prints its parameters, body, criteria and outputs', () => {
  const steps = described.find(({ workflowId }) => workflowId === 'declinedCard')?.steps ?? [];
  expect(steps.find(({ stepId }) => stepId === 'addItem')).toMatchObject({
    parameters: [{ name: 'order_id', in: 'path', value: '$steps.openCart.outputs.order' }],
    requestBody: {
      contentType: 'application/json',
      payload: { variant: '$steps.createProduct.outputs.variant', quantity: 2 },
    },
    outputs: { item: '$response.body#/id' },
  });
  expect(steps.find(({ stepId }) => stepId === 'payWithDeclinedCard')).toMatchObject({
    successCriteria: [
      { condition: '$statusCode == 200 || $statusCode == 402' },
      { condition: "$response.body#/state == 'pending'" },
      { condition: "$response.body#/checkout_state == 'finalize'" },
      { condition: "$response.body#/payments/0/state == 'failed'" },
    ],
  });
});
