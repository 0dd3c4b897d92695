// Runs every workflow of `backlot arazzo` with Redocly Respect, each in a new session of the server at BACKLOT_URL.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const server = new URL(process.env.BACKLOT_URL ?? 'http://127.0.0.1:4000');
const address = ['--host', server.hostname, '--port', server.port || '80'];
const printed = run('backlot', ['arazzo', ...address]);
writeFileSync('workflows.arazzo.json', printed);

run('redocly', ['lint', 'workflows.arazzo.json']);
for (const { workflowId, steps } of JSON.parse(printed).workflows) {
  // A session that is used for the first time begins with the scenario of the server.
  const session = `${server.origin}/s/respect-${workflowId}-${process.pid}`;
  const options = ['--workflow', workflowId, '--server', `backlot=${session}`];
  run('redocly', ['respect', 'workflows.arazzo.json', ...options]);
  console.log(`ok ${workflowId} (${steps.length} steps)`);
}

/** Runs a program of this project and returns its standard output. If it fails, its output is printed. */
function run(program, args) {
  try {
    const file = join('node_modules/.bin', program);
    return execFileSync(file, args, { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    console.error(error.stdout, error.stderr);
    process.exit(1);
  }
}
