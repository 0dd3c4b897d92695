import * as z from 'zod';
import type { ApiDefinition, EngineShop } from '../../definition/api.ts';
import { OpenedView, StateView, type NamedState } from '../../definition/named-state.ts';
import { Problem } from '../../lib/problem.ts';
import { hintOf } from '../../lib/unknown-keys.ts';
import type { BackOffice } from '../../office/back-office.ts';
import type { ReadyScenario } from '../../scenario/scenario.ts';
import { endpoint, type ControlEndpoint } from '../endpoint.ts';

/** Returns the endpoints of the named states of an API. */
export function stateEndpoints(api: ApiDefinition): readonly ControlEndpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/_backlot/states',
      summary: 'List the states that can be opened by name: scenarios, steps and states of records',
      answer: z.array(StateView),
      handle: ({ server }) => listStates(server.scenarios(), api),
    }),
    endpoint({
      method: 'POST',
      path: '/_backlot/states/:name',
      operationId: 'openState',
      summary: 'Open a state: reset to a scenario, or add a record in this state to the shop',
      answer: OpenedView,
      errors: ['missing', 'refused'],
      example: { url: '/_backlot/states/default' },
      handle: ({ office, server, params: { name } }) =>
        findState(name, server.scenarios(), api)(office()),
    }),
  ];
}

/** Returns the states of an API that can be opened by name. */
export function listStates(
  scenarios: readonly Pick<ReadyScenario, 'name' | 'description'>[],
  api: ApiDefinition,
): StateView[] {
  return [
    ...scenarios.map(({ name, description }) => ({
      name,
      about: description,
      line: `office.reset('${name}');`,
    })),
    ...statesOf(api).map(({ name, about, line }) => ({ name, about, line })),
  ];
}

/**
 * Returns what opens a state: it resets a back office to a scenario, or adds a record.
 *
 * @throws Problem `missing` if no state has this name
 */
export function findState(
  name: string,
  scenarios: readonly ReadyScenario[],
  api: ApiDefinition,
): (office: BackOffice) => OpenedView {
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario !== undefined) {
    return (office) => {
      office.reset(scenario);
      return { state: name };
    };
  }
  const states = statesOf(api);
  const state = states.find((one) => one.name === name);
  if (state !== undefined) return (office) => ({ state: name, ...state.open(office) });
  const names = [...scenarios, ...states].map((one) => one.name);
  throw new Problem(
    'missing',
    `State '${name}' not found.${hintOf(name, names)} Use one of ${names.join(', ')}.`,
  );
}

function statesOf(api: ApiDefinition): readonly NamedState<EngineShop>[] {
  return api.control?.parts().states(api) ?? [];
}
