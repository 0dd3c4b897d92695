import { agentFigures } from './agents.bench.ts';
import { checkFigures } from './checks.bench.ts';
import { checkoutFigures } from './checkout.bench.ts';
import { costFigures } from './costs.bench.ts';
import { coverageFigures } from './coverage.bench.ts';
import { extendedFigures } from './extended.bench.ts';
import { httpFigures } from './http.bench.ts';
import { journalFigures } from './journal.bench.ts';
import { largeFigures } from './large.bench.ts';
import { mapFigures } from './map.bench.ts';
import { line, type Figure } from './report.ts';
import { mixedFigures } from './mixed.bench.ts';
import { mountFigures } from './mounts.bench.ts';
import { scaleFigures } from './scale.bench.ts';
import { sessionFigures } from './sessions.bench.ts';
import { startFigures } from './start.bench.ts';
import { storeFigures } from './store.bench.ts';
import { studioFigures } from './studio.bench.ts';
import { suiteFigures } from './suite.bench.ts';
import { trialFigures } from './trials.bench.ts';
import { visitorFigures } from './visitors.bench.ts';

/** `npm run bench` runs all benchmarks; `npm run bench -- http` runs one. */
const parts: Readonly<Record<string, () => Figure[] | Promise<Figure[]>>> = {
  http: httpFigures,
  map: mapFigures,
  start: startFigures,
  suite: suiteFigures,
  scale: scaleFigures,
  checkout: checkoutFigures,
  large: largeFigures,
  journal: journalFigures,
  coverage: coverageFigures,
  sessions: sessionFigures,
  store: storeFigures,
  mounts: mountFigures,
  extended: extendedFigures,
  mixed: mixedFigures,
  visitors: visitorFigures,
  costs: costFigures,
  studio: studioFigures,
  checks: checkFigures,
  trials: trialFigures,
  agents: agentFigures,
};

const wanted = process.argv.slice(2);
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  for (const figure of await measure()) console.log(line(figure));
}
