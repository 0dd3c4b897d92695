/** A quote of a page that stands for what it promises there, and the tests that hold it: a file below `test/`, and a part of a title. */
export type Promised = readonly [quote: string, ...tests: [file: string, title: string][]];

export const ofStores: readonly Promised[] = [
  [
    'what is acknowledged is in the store',
    ['stores/redis', 'a response is sent when its change is in Redis'],
    ['stores/redis', 'requests that arrive at one server at once are read and saved together'],
    ['stores/fetch', 'a response is sent when its changes are saved'],
    ['stores/object-checker', 'each acknowledged write is there once'],
  ],
  [
    'whenever the process ends, even by `kill -9`, a file is whole',
    ['stores/file', 'killed in the middle of a save leaves a whole session'],
    ['stores/file-kills', 'a process that ends before any call of the file system'],
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
    ['stores/folder-lock', 'the lock of another host is refused with the file to delete'],
    ['stores/folder-lock', 'a lock of a process that runs is refused, and of one that has ended'],
    ['stores/file', 'and the next one starts at once'],
  ],
  [
    'A file that is damaged, and a folder, a link or an odd name',
    ['stores/file-faults', 'a damaged file of a session, whatever it has, is set aside'],
    ['stores/file-faults', 'a folder or a link in place of a session'],
    ['stores/file', 'what only looks like a session is set aside with a word'],
  ],
  [
    'The server deletes the file of a session that was not used',
    ['stores/file', 'the files of sessions that were not used for too long are deleted'],
  ],
  [
    'and so does a Redis Cluster: a session is one key',
    ['stores/cluster', 'the sessions of two servers are in a Redis Cluster of two nodes'],
  ],
  [
    'Any balancer is right',
    ['stores/redis', 'responses of a session have the same headers and bodies at each server'],
    ['stores/redis', 'the shared back office is one of all servers'],
    ['stores/fetch', 'each handler of a Redis answers each session'],
    ['stores/balancers', 'behind %s, each server of a Redis answers each session'],
  ],
  [
    'A session has a version.',
    ['stores/redis', 'a read is one command of Redis, and a change is two'],
    ['stores/redis', 'writes of one session that arrive at two servers at once'],
    ['stores/redis', 'a request that meets a change of another server is performed again'],
    ['stores/redis', 'a session that one server deletes begins anew at the others'],
    ['stores/redis', 'a session can be opened by name at one server only'],
    ['stores/outages', 'a server that is cut off from Redis answers no request from its memory'],
    ['stores/checker', 'through the fault: %s'],
  ],
  [
    'Code of your own in a definition may run twice',
    ['stores/redis', 'a request that meets a change of another server is performed again'],
  ],
  [
    'What another server has changed is one entry',
    ['stores/redis', 'what another server has changed is one entry of the history'],
    ['stores/redis', 'a page that listens learns within two seconds'],
    ['stores/redis', 'a response that one server holds is sent when another one releases it'],
  ],
  [
    'If no reply to a write arrives',
    ['stores/outages', 'the outcome of a write whose reply is lost is either'],
  ],
  [
    'Set `maxmemory-policy` of Redis to `noeviction`.',
    ['stores/outages', 'a Redis that deletes keys when its memory is full is told at the start'],
  ],
  [
    'SIGTERM: `health?ready` fails at once.',
    ['stores/redis', 'requests that arrive while a server stops are answered'],
    ['stores/redis', 'what was sent to a server that stops is answered before'],
    ['stores/outages', 'SIGTERM ends a server while Redis does not answer'],
  ],
  [
    '`GET /_backlot/metrics` has the time of reads, writes and deletions',
    ['stores/redis', 'requests that arrive at one server at once are read and saved together'],
  ],
  [
    'If `--max-sessions` are in memory',
    ['stores/kept', 'a session that leaves memory because others begin keeps its records'],
  ],
  [
    '`--session-idle` ends sessions in the store, too.',
    ['stores/redis', 'a session that was not used for the idle time is deleted in Redis'],
    ['stores/redis', 'a session that another server uses does not end at one'],
    ['stores/redis', 'a reset at regular times is one of all servers'],
    ['stores/kept', 'a reset at regular times ends the sessions in the store, too'],
  ],
  ['| none | stop, kill |', ['stores/kept', 'without a store, a session begins anew']],
  [
    '| both | stop, kill |',
    ['stores/file', 'sessions, the shared back office and their snapshots outlive the process'],
    ['stores/file-kills', 'each write that was acknowledged is there after a kill'],
    ['stores/checker', 'a server is killed'],
  ],
  // No test can take the power away. What it leaves is a damaged file at worst.
  ['crash of the machine, power loss', ['stores/file-faults', 'a damaged file of a session']],
  [
    '| folder | full disk |',
    ['stores/file-faults', 'a change that the disk does not take is not made'],
    ['stores/file-disk', 'while a disk is full, changes get 503 and are not made'],
  ],
  ['| folder | disk that hangs |', ['stores/file-disk', 'while a disk hangs, changes get 503']],
  [
    '| folder | emptied, or deleted |',
    ['stores/file-faults', 'sessions of a folder that was emptied go on from memory'],
  ],
  [
    '| folder | damaged file |',
    ['stores/file-faults', 'a damaged file of a session, whatever it has, is set aside'],
    ['stores/file-faults', 'texts of sessions that are no state of one'],
  ],
  [
    '| folder | two servers |',
    ['stores/folder-lock', 'of several processes that start at once, one gets the folder'],
    ['stores/file', 'sessions, the shared back office and their snapshots outlive the process'],
  ],
  [
    '| folder | its lock was deleted',
    ['stores/folder-lock', 'a server whose folder another process has taken saves nothing more'],
    ['stores/file-faults', 'a server whose folder another one had for some time shows'],
  ],
  [
    '| Redis | does not answer, or answers after more than a second |',
    ['stores/outages', 'while Redis is suspended, all requests get 503 within two seconds'],
    ['stores/outages', 'a server that is cut off from Redis answers no request from its memory'],
    ['stores/outages', 'the memory of a server does not grow under load while Redis is stopped'],
  ],
  [
    '| Redis | full memory |',
    ['stores/outages', 'while the memory of Redis is full, reads go on, and changes get 503'],
  ],
  [
    '| Redis | lost its data, or a failover',
    ['stores/outages', 'the first server with a copy of a session restores it'],
    ['stores/outages', 'what was acknowledged after Redis has lost its data stays'],
    ['stores/checker', 'through all faults in a random order'],
  ],
  [
    '| Redis | a server is cut off, suspended or busy',
    ['stores/checker', 'through the fault: %s'],
    ['stores/checker', 'through all faults in a random order'],
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
    ['stores/kept', 'a session that leaves memory because others begin keeps its records'],
    ['stores/kept', 'a loaded session continues the ids of its entries'],
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
  ],
];
