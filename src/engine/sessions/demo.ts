/**
 * The limits of a public demo. They bound the memory: a client that fills as many sessions as possible, and keeps all of them
 * in snapshots, uses less than 1 GiB.
 */
export const demoLimits = {
  sessions: 'own',
  maxSessions: 100,
  sessionIdle: 'PT30M',
  maxRows: 300,
  maxSnapshots: 2,
  maxBodyBytes: 8192,
  maxControlBytes: 8192,
  maxImportBytes: 786_432,
  maxWaiting: 1000,
  clientShare: 20,
  requestRate: 20,
} as const;
