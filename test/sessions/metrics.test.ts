import { expect, test } from 'vitest';
import { openServer } from '../support/server.ts';

test('metrics count requests by endpoint and status, sessions and evictions', () => {
  const { call, pass } = openServer({ sessionIdle: 'PT10M' });
  call('GET /api/users/1');
  call('GET /api/users/2/');
  call('GET /api/users/9999');
  call('BREW /api/users/1');
  call('GET /api/"nothing"');
  call('GET /s/ada/api/users/1');
  pass(600);
  call('GET /s/eve/_backlot/clock');
  const { status, headers, body } = call('GET /_backlot/metrics');
  expect(status).toBe(200);
  expect(headers['content-type']).toContain('application/openmetrics-text; version=1.0.0');
  const lines = (body as string).split('\n');
  for (const line of [
    'backlot_requests_total{endpoint="GET /api/users/:user_id",status="200"} 3',
    'backlot_requests_total{endpoint="GET /api/users/:user_id",status="404"} 1',
    'backlot_requests_total{endpoint="other /api/users/:user_id",status="405"} 1',
    'backlot_requests_total{endpoint="other",status="404"} 1',
    'backlot_requests_total{endpoint="GET /_backlot/clock",status="200"} 1',
    'backlot_request_duration_seconds_count{endpoint="GET /api/users/:user_id"} 4',
    'backlot_request_duration_seconds_bucket{endpoint="GET /api/users/:user_id",le="+Inf"} 4',
    'backlot_sessions 1',
    'backlot_sessions_evicted_total 1',
  ]) {
    expect(lines).toContain(line);
  }
  expect(lines.slice(-2)).toEqual(['# EOF', '']);
  const sample = /^[a-z_]+(\{[a-z]+="[^"\\\n]*"(,[a-z]+="[^"\\\n]*")*\})? -?[\d.e+-]+$/;
  expect(lines.slice(0, -2).filter((line) => !line.startsWith('# ') && !sample.test(line))).toEqual(
    [],
  );
});
