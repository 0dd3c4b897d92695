/** Merges what `npm test` and `npm run test:all` have met of the contract. It fails if that is not all of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { mergeReports, thresholdIssues } from '../src/engine/coverage/report.ts';
import { coverageText } from '../src/engine/coverage/text.ts';
import { storeContract } from '../src/shop/store-contract.ts';
import { root } from './run.ts';

const files = ['quick', 'all'].map((suite) => join(root, 'coverage', suite, 'coverage.json'));
const reports = files.map((file) => [file, JSON.parse(readFileSync(file, 'utf8'))] as const);
const report = mergeReports(reports, storeContract(), {});
console.log(coverageText(report, { paint: styleText, maxGaps: 20 }));
const issues = thresholdIssues(report, { 100: true });
for (const issue of issues) console.error(issue);
process.exitCode = issues.length === 0 ? 0 : 1;
