import * as z from 'zod';
import { faultInput, type FaultRule } from '../../faults/fault-rule.ts';
import { missingStep, weatherNames, weathers, type WeatherName } from '../../faults/weather.ts';
import { weatherTexts } from '../../faults/weather-texts.ts';
import type { BackOffice } from '../../office/back-office.ts';
import { jsonForm } from '../../rest/form.ts';
import { assertWeather } from '../../scenario/start.ts';
import { endpoint } from '../endpoint.ts';

const WeatherView = z.strictObject({
  weather: z.enum(weatherNames).describe('The one whose faults are all there'),
  text: z.string().describe('What it is'),
  choices: z.array(z.strictObject({ name: z.enum(weatherNames), text: z.string() })),
});
export type WeatherView = z.output<typeof WeatherView>;

export const weatherEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/weather',
    operationId: 'getWeather',
    summary: 'Get the named weather whose faults the shop has, and all that there are',
    answer: WeatherView,
    handle: ({ office }) => weatherView(office()),
  }),
  endpoint({
    method: 'PUT',
    path: '/_backlot/weather',
    operationId: 'setWeather',
    summary:
      'Replace the faults of the present weather by those of another one, after all other faults',
    body: jsonForm(z.strictObject({ weather: z.enum(weatherNames).describe('`good` has none') })),
    answer: WeatherView,
    errors: ['invalid', 'too many'],
    example: { url: '/_backlot/weather', body: { weather: 'train' } },
    handle({ office: chosen, body: { weather } }) {
      const office = chosen();
      assertWeather(office.shop.api, weather);
      const { rules } = weatherOf(office);
      const added: FaultRule[] = [];
      try {
        for (const rule of weathers[weather]) added.push(office.faults.add(rule));
      } catch (error) {
        for (const { id } of added) office.faults.remove(id);
        throw error;
      }
      for (const { id } of rules) office.faults.remove(id);
      return weatherView(office);
    },
  }),
];

function weatherView(office: BackOffice): WeatherView {
  const { name } = weatherOf(office);
  const choices = possible(office).map((one) => ({ name: one, text: weatherTexts[one].text }));
  return { weather: name, text: weatherTexts[name].text, choices };
}

/** Returns the weather without faults of a step that the API does not have. */
function possible({ shop }: BackOffice): readonly WeatherName[] {
  return weatherNames.filter((name) => missingStep(name, shop.api.steps) === undefined);
}

/** Returns the weather whose rules are all among the faults, and these. One that was edited or is off is no longer its rule. */
function weatherOf(office: BackOffice): {
  readonly name: WeatherName;
  readonly rules: readonly FaultRule[];
} {
  const input = faultInput(office.shop.api.tables.faultRules);
  for (const name of possible(office).filter((one) => one !== 'good')) {
    const left = new Map(office.faults.list().map((rule) => [rule, contentOf(rule)]));
    const rules = weathers[name].map((rule) => {
      const wanted = contentOf(input.parse(rule));
      const [found] = [...left].find(([, content]) => content === wanted) ?? [];
      if (found !== undefined) left.delete(found);
      return found;
    });
    const found = rules.filter((rule) => rule !== undefined);
    if (found.length === rules.length) return { name, rules: found };
  }
  return { name: 'good', rules: [] };
}

/** The fields of a rule that do not say what it does. */
const counts = new Set(['id', 'matched', 'window', 'released']);

/** Returns what a rule does. */
function contentOf(rule: object): string {
  const content = Object.entries(rule).filter(([name]) => !counts.has(name));
  return JSON.stringify(content.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
