import { builtInScenarios } from '../../src/shop/store-api.ts';
import { importStories } from './visitors-imports.ts';
import { listStories, orderStories } from './visitors-orders.ts';
import { journalStories, ruleStories } from './visitors-rules.ts';
import { post, type Room, type Visit } from './visit.ts';

/** Requests that are most expensive after others. */
export function stories(room: Room): Visit[] {
  return [
    ...scenarioStories(room),
    ...journalStories(room),
    ...ruleStories(room),
    ...orderStories(room),
    ...listStories(room),
    ...importStories(room),
  ];
}

function scenarioStories({ isDemo }: Room): Visit[] {
  const names = builtInScenarios.filter((name) => name !== 'large');
  return [
    { name: 'the first request', request: { method: 'GET', url: '/api/orders/' } },
    { name: 'OpenAPI', request: { method: 'GET', url: '/_backlot/openapi.json' } },
    { name: 'docs', request: { method: 'GET', url: '/_backlot/docs' } },
    { name: 'scenarios', request: { method: 'GET', url: '/_backlot/scenarios' } },
    ...names.map((scenario) => ({
      name: `reset to ${scenario}`,
      request: post('/_backlot/reset', { scenario }),
    })),
    { name: 'reset again', request: { method: 'POST', url: '/_backlot/reset' } },
    ...(isDemo ? [] : [{ name: 'reset, seed', request: post('/_backlot/reset', { seed: 7 }) }]),
    { name: 'a session', request: post('/_backlot/sessions', { name: 'a', scenario: 'sale' }) },
    {
      name: 'scenario with a long name',
      request: post('/_backlot/reset', { scenario: 'default'.repeat(30) }),
    },
    {
      name: 'snapshot',
      prepare: (send) => send(post('/_backlot/snapshot', { name: 'a' })),
      request: { method: 'POST', url: '/_backlot/snapshot/a/restore' },
    },
    { name: 'export', request: { method: 'GET', url: '/_backlot/export' } },
  ];
}
