import { faultNames } from '../suite/fault-names.ts';
import { serverFlags } from './server-flags.ts';
import {
  choice,
  maxInteger,
  milliseconds,
  number,
  reportFile,
  shard,
  text,
  type Flags,
} from './values.ts';

export const knownFindings = {
  kind: text('<file>'),
  help: 'file of known findings, which is written if it is not there; only others fail the command',
} as const;

const report = reportFile('.html', '.json', '.md', '.xml', '.sarif');

/** The file of a report of findings, or `github`. */
const findingsFile = {
  ...report,
  expected: `github, or ${report.expected}`,
  parse: (value: string) => (value === 'github' ? value : report.parse(value)),
};

const failOn = {
  kind: choice('<what>', ['new']),
  help: 'with --out github: fail the command for findings that the baseline does not have',
  unset: 'only report them',
} as const;

const suite = {
  test: {
    kind: text('<text>'),
    help: "tests to run, by a part of their names; with '!' before it, tests to leave out; repeatable",
    repeatable: true,
  },
  budget: {
    kind: milliseconds,
    help: 'maximum time after the tests have run as they are, such as 60s: one mutant or fault of each before the second of one',
    unset: 'none',
  },
  max: {
    kind: number(1, maxInteger),
    help: 'maximum number of runs, the worst first',
    unset: 'all',
  },
  since: {
    kind: text('<branch>'),
    help: 'only tests whose files or modules have changed since the branch was left, such as origin/main, and endpoints whose part of --openapi has',
  },
  shard: {
    kind: shard,
    help: 'the part of the plan to try, such as 2/4; --out writes what `backlot merge` reads',
    unset: 'all of it',
    conflicts: ['baseline'],
  },
  openapi: {
    kind: text('<file or URL>'),
    help: 'OpenAPI document, as JSON or YAML, that names the endpoints of another API than that of Backlot',
  },
  baseline: knownFindings,
  failOn,
} satisfies Flags;

/** Flags of `mocks`. */
export const mocksFlags = {
  openapi: {
    kind: text('<file or URL>'),
    help: 'OpenAPI document, as JSON or YAML, that judges the responses',
    unset: 'the contract of the store API',
  },
  graphql: {
    kind: text('<file>'),
    help: 'schema of GraphQL, as SDL or as the JSON of an introspection, that judges the operations; requires the package graphql',
    conflicts: ['openapi'],
  },
  config: serverFlags.config,
  apiPath: serverFlags.apiPath,
  test: suite.test,
  baseline: knownFindings,
  out: {
    kind: reportFile('.html', '.json', '.xml'),
    help: 'file for the report; its end says the format: .html, .json, or .xml for JUnit; repeatable',
    repeatable: true,
  },
} satisfies Flags;

/** Flags of `mutate`. */
export const mutateFlags = {
  only: {
    kind: text('<response>'),
    help: "responses, fields or mutants to try, by how their names begin: 'GET /api/orders/:order_id 200 total'; repeatable",
    repeatable: true,
  },
  ...suite,
  out: {
    kind: findingsFile,
    help: 'file for the report: a page (.html), the format of tools for mutation testing (.json), Markdown (.md), JUnit (.xml) or SARIF (.sarif); github prints annotations; repeatable',
    repeatable: true,
  },
} satisfies Flags;

/** Flags of `merge`. */
export const mergeFlags = {
  baseline: knownFindings,
  failOn,
  out: {
    kind: findingsFile,
    help: 'file for the merged report, in a format that the command has; repeatable',
    repeatable: true,
  },
} satisfies Flags;

/** Flags of `chaos`. */
export const chaosFlags = {
  races: {
    help: 'try each order in which the responses to requests that are under way at once can arrive, in the place of faults',
    conflicts: ['fault'],
  },
  only: {
    kind: text('<endpoint>'),
    help: "endpoints or orders of responses to try, by how their names begin: 'PUT /api/checkouts'; repeatable",
    repeatable: true,
  },
  fault: {
    kind: choice('<fault>', faultNames),
    help: 'faults to try, such as drop; repeatable',
    repeatable: true,
  },
  ...suite,
  out: {
    kind: findingsFile,
    help: 'file for the report; its end says the format: .html, .json, .md, .xml for JUnit or .sarif; github prints annotations; repeatable',
    repeatable: true,
  },
} satisfies Flags;
