import { expect, test } from 'vitest';
import { openOffice } from '../support/office.ts';

test('a delay is a number of milliseconds or a duration as in Prefer, wherever a rule has one', async () => {
  const { faults, script, call } = openOffice();
  expect(faults.add({ delay: '2s' }).delay).toBe(2000);
  expect(faults.add({ delay: { from: '1.5s', to: '2s' } }).delay).toEqual({ from: 1500, to: 2000 });
  expect(script.add({ on: 'purchase', delay: '500ms' }).delay).toBe(500);
  expect((await call('POST /_backlot/faults', { delay: '20ms' })).body.delay).toBe(20);
  for (const delay of ['2 s', '601s', '', 'soon'])
    expect(() => faults.add({ delay })).toThrow(
      'delay: Expected milliseconds, or a duration of at most 600s such as 2s or 500ms',
    );
  expect(() => faults.add({ delay: 600_001 })).toThrow('delay: Too big');
});

test('a duration by the clock is in ISO 8601 or as a person writes it: 2s, 30m, 3h, 1d, 2w', () => {
  const { clock, faults, script } = openOffice({ settings: { cartLifetime: '2h' } });
  const settle = { after: '90s', outcome: 'approved' } as const;
  expect(script.add({ on: 'purchase', outcome: 'pending', settle }).settle).toEqual(settle);
  expect(faults.add({ limit: { requests: 1, per: '1m' } }).limit).toEqual({
    requests: 1,
    per: '1m',
  });
  for (const step of ['2s', '30m', '3h', '1d', '1w']) clock.advance(step);
  expect(clock.now()).toBe('2026-03-10T12:30:02+0000');
  expect(() => clock.advance('2 days')).toThrow(
    '2 days is not a duration such as PT3H, P1DT12H or 2s.',
  );
});
