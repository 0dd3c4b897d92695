#!/usr/bin/env bash
# What `npm test` leaves out because it takes long. `npm run test:all` runs both.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# The thresholds of the contract are for all tests together.
unset CONTRACT_COVERAGE
export PATH="$PWD/node_modules/.bin:$PATH" RUNS="${RUNS:-1}"
vitest() { command vitest run --configLoader native --config test/vitest.config.ts "$@"; }

# Installing packages mostly waits for the network and the disk, so the tests run beside it.
folders=$(mktemp -d)
trap 'rm -rf "$folders"' EXIT
(npm run -s package && npm run -s test:projects && npm run -s test:tools && npm run -s test:site) >"$folders/log" 2>&1 &
installed=$!

failed=0
vitest --project='*long' || failed=1
mapfile -t tagged < <(grep -rlE "tags: .*'long'" test --include='*.test.ts')
vitest --project='!*long' --tags-filter=long "${tagged[@]}" || failed=1

wait "$installed" || failed=1
cat "$folders/log"
exit "$failed"
