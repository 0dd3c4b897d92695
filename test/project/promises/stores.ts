/** A quote of a page that stands for what it promises there, and the tests that hold it: a file below `test/`, and a part of a title. */
export type Promised = readonly [quote: string, ...tests: [file: string, title: string][]];

const kill = 'a server is killed';
const cut = 'a server that is cut off from Redis says so once';
const lossOfData = 'a session stays with its owner, with all that was acknowledged';
const suspended = 'while Redis is suspended, each request is answered without it';
const durable503 = 'with --durable, a write gets 503 while Redis does not answer or its';
const hangs = 'a disk that hangs leads to 503 for who needs it';
const fullDisk = 'a disk that takes no sessions is said once on the terminal';
const randomFaults = 'through all faults in a random order';

export const ofStores: readonly Promised[] = [
  [
    'whenever the process ends, even by `kill -9`, a file is whole',
    ['stores/file', 'killed in the middle of a save leaves a whole session'],
  ],
  [
    'The folder is for sessions only.',
    ['stores/file', 'a folder with files of others is refused with the command that is right'],
    ['stores/file', 'files of others that come into the folder later are not touched'],
    ['stores/file', 'what systems put into it is ignored'],
  ],
  [
    'One process at a time can use a folder',
    ['stores/folder-lock', 'a folder that is in use is refused at once'],
    ['stores/folder-lock', 'a lock of another machine that is renewed is refused'],
    ['stores/file', 'and the next one starts at once'],
  ],
  [
    'A file that is damaged, and a folder, a link or an odd name',
    ['stores/file-faults', 'a damaged file of a session, whatever it has, is set aside'],
    ['stores/file-faults', 'a folder or a link in place of a session'],
    ['stores/file', 'what only looks like a session is set aside with a word'],
    ['stores/file', 'sessions of the format before files had a mark are read'],
  ],
  [
    'The server deletes the file of a session that was not used',
    ['stores/file', 'the files of sessions that were not used for too long are deleted'],
  ],
  [
    'Any balancer is right',
    ['stores/redis', 'three servers give the same bytes as one process'],
    ['stores/owners', 'has the headers, the body and the status of any other'],
    ['stores/balancers', 'HAProxy with a stick table keeps each session at one server'],
    ['stores/balancers', 'nginx with a hash keeps each session at one server'],
    ['stores/balancers', 'behind nginx without stickiness, each server of a Redis answers'],
  ],
  [
    'A session belongs to the server that answered its last request',
    ['stores/redis', 'no save of a server that was suspended for two leases is taken'],
    ['stores/owners', 'a server whose save is refused drops the session'],
  ],
  [
    'A server that receives a request for a session of another one requests it',
    ['stores/owners', 'writes of one session that arrive at two servers at once'],
    ['stores/owners', 'the shared back office moves as sessions do'],
    ['stores/owners', 'a session of which its server knows nothing'],
    ['stores/fetch', 'a session in Redis moves to the handler that receives its next request'],
  ],
  [
    'The journal, the history, held responses and streams of events stay behind',
    ['stores/owners', 'a session that moves has all its records and snapshots'],
  ],
  [
    'Changes are usually saved within 50 ms.',
    ['stores/owners', 'a durable response is sent when its change is in Redis'],
    ['stores/owners', 'durable writes that arrive at once are sent after their own change'],
    ['stores/owners', 'a durable write at the owner sends one command to Redis'],
  ],
  [
    'Set `maxmemory-policy` of Redis to `noeviction`.',
    ['stores/outages', 'a Redis that deletes keys when its memory is full is told at the start'],
  ],
  [
    'SIGTERM: `health?ready` fails at once.',
    ['stores/redis', 'while each in turn is ended and started again'],
    ['stores/owners', 'a request that arrives while its server stops is answered'],
    ['stores/owners', 'what was sent to a server that stops is answered before'],
  ],
  [
    'A crash: each server tells Redis every 100 ms that it runs.',
    ['stores/redis', 'another server takes a session over when a killed one is silent'],
    ['stores/redis', 'no save of a server that was suspended for two leases is taken'],
    ['stores/owners', 'a server whose save is refused drops the session, and tells the client'],
  ],
  [
    'While Redis is away or does not answer within a second',
    ['stores/outages', suspended],
    ['stores/redis', 'owned sessions go on until the lease ends while Redis is stopped'],
    ['stores/owners', 'a durable response is sent when its change is in Redis, and never if'],
  ],
  [
    'If Redis has lost its data, the servers claim at once',
    ['stores/outages', lossOfData],
    ['stores/outages', 'an owner keeps its session when Redis loses its data and the reply'],
    ['stores/lost-data', 'a server that was suspended does not bring its old copy'],
    ['stores/lost-data', 'the latest copy of a session wins'],
    ['stores/lost-data', 'a session that was released and that no server has taken yet'],
  ],
  [
    '`GET /_backlot/metrics` has the time of claims, saves and releases',
    ['stores/owners', 'has the headers, the body and the status of any other'],
  ],
  [
    'If `--max-sessions` are in memory',
    ['stores/kept', 'a session that is parked because others begin keeps its records'],
  ],
  [
    '`--session-idle` ends sessions in the store, too.',
    ['stores/owners', 'a session that was not used for the idle time is deleted in Redis'],
    ['stores/owners', 'a reset at regular times is one of all servers'],
    ['stores/kept', 'a reset at regular times ends the sessions in the store, too'],
  ],
  ['| memory | stop, kill |', ['stores/kept', 'without a store, a session begins anew']],
  [
    '| file | stop (SIGTERM) |',
    ['stores/file', 'sessions, the shared back office and their snapshots outlive the process'],
  ],
  [
    '| file | kill |',
    ['stores/file-faults', 'what a killed server leaves leads to notices'],
    ['stores/file-disk', 'killed right after its first response begins anew with a notice'],
  ],
  [
    '| file, `--durable` | kill |',
    ['stores/file-kills', 'each write that was acknowledged is there after a kill'],
  ],
  // No test can take the power away. What it leaves is a damaged file at worst.
  ['crash of the machine, power loss', ['stores/file-faults', 'a damaged file of a session']],
  [
    '| file | full disk |',
    ['stores/file-faults', fullDisk],
    ['stores/file-disk', 'a full disk is said by the program, which goes on'],
  ],
  [
    '| file, `--durable` | full disk |',
    ['stores/file-faults', 'a durable response says when its change cannot be saved'],
  ],
  ['| file | disk that hangs |', ['stores/file-disk', hangs]],
  [
    '| file, `--durable` | disk that hangs |',
    [
      'stores/file-disk',
      'with --durable, a change on a disk that hangs gets 503 before it goes on',
    ],
  ],
  [
    '| file, both | folder emptied, or deleted |',
    ['stores/file-faults', 'sessions of a folder that was emptied go on from memory'],
  ],
  [
    '| file, both | damaged file |',
    ['stores/file-faults', 'a damaged file of a session, whatever it has, is set aside'],
    ['stores/file-faults', 'texts of sessions that are no state of one'],
  ],
  [
    '| file, both | two servers on one folder |',
    ['stores/folder-lock', 'of several processes that start at once, one gets the folder'],
    ['stores/file', 'sessions, the shared back office and their snapshots outlive the process'],
  ],
  [
    '| file, both | a server that was suspended for more than 10 seconds',
    ['stores/folder-lock', 'taken while it was suspended saves nothing more, and says so'],
    ['stores/file-faults', 'a server that was suspended while another one had the folder shows'],
  ],
  [
    '| Redis | kill |',
    ['stores/redis', 'another server takes a session over when a killed one is silent'],
  ],
  [
    '| Redis, `--durable` | kill |',
    ['stores/checker', kill],
    ['stores/lost-data', 'a server that was suspended does not bring its old copy'],
  ],
  [
    '| Redis, both | stop (SIGTERM) |',
    ['stores/redis', 'while each in turn is ended and started again'],
    ['stores/outages', 'SIGTERM ends a server while Redis does not answer'],
  ],
  [
    '| Redis | full memory |',
    ['stores/outages', 'while the memory of Redis is full, sessions go on, and the terminal says'],
  ],
  ['| Redis, `--durable` | full memory |', ['stores/outages', durable503]],
  [
    '| Redis | does not answer |',
    ['stores/outages', suspended],
    ['stores/outages', '50 checkouts across 20 s without an answer of Redis lose nothing'],
  ],
  [
    '| Redis, `--durable` | does not answer |',
    ['stores/outages', durable503],
    ['stores/checker', 'through the fault: %s'],
  ],
  [
    '| Redis, both | lost its data |',
    ['stores/outages', lossOfData],
    ['stores/redis', 'owned sessions go on until the lease ends while Redis is stopped'],
    ['stores/checker', randomFaults],
  ],
  ['| Redis | a server is cut off, suspended or busy', ['stores/outages', cut]],
  [
    '| Redis, `--durable` | a server is cut off, suspended or busy',
    ['stores/checker', 'through the fault: %s'],
    ['stores/checker', randomFaults],
  ],
  [
    'changed records, deleted ones, ids, tokens, scripts, faults, the clock',
    [
      'office/difference.slow',
      'a difference that is applied to a fresh start gives the same state',
    ],
  ],
  [
    'The journal and the history are not kept',
    ['stores/kept', 'a session that is parked because others begin keeps its records'],
    ['stores/owners', 'a session that moves has all its records and snapshots'],
  ],
  [
    'A ticking clock goes on while nobody uses a session.',
    ['stores/kept', 'a ticking clock goes on while nobody uses its session'],
  ],
  [
    'A session that another version of the server has saved',
    ['stores/file', 'a session that another version of the server has saved begins anew'],
  ],
  [
    'Without `--demo`, the shared back office is kept like a session.',
    ['stores/file', 'sessions, the shared back office and their snapshots outlive the process'],
    ['stores/kept', 'reads of visitors without a session are not saved in a demo'],
  ],
  [
    'The cookie `server` leads a browser back to its server.',
    ['stores/balancers', 'HAProxy leads each visitor back to one server'],
    ['stores/balancers', 'nginx leads each visitor back to one server'],
  ],
];
