// Runs every workflow of `backlot arazzo` with Redocly Respect, each in a new session of the server at BACKLOT_URL.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const { BACKLOT_URL, BACKLOT_PROGRAM = '../../server/node_modules/backlot/dist/cli/main.js' } =
  process.env;
const { origin, hostname, port } = new URL(BACKLOT_URL);

const printed = run('node', BACKLOT_PROGRAM, 'arazzo', '--host', hostname, '--port', port);
writeFileSync('workflows.arazzo.json', printed);

run('node_modules/.bin/redocly', 'lint', 'workflows.arazzo.json');
for (const { workflowId, steps } of JSON.parse(printed).workflows) {
  // A session that is used for the first time begins with the scenario of the server.
  const server = `backlot=${origin}/s/respect-${workflowId}`;
  const options = ['--workflow', workflowId, '--server', server];
  run('node_modules/.bin/redocly', 'respect', 'workflows.arazzo.json', ...options);
  console.log(`ok ${workflowId} (${steps.length} steps)`);
}

/** Runs a program and returns its standard output. If it fails, its output is printed. */
function run(program, ...args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    console.error(error.stdout, error.stderr);
    process.exit(1);
  }
}
