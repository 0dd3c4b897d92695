import { createHash } from 'node:crypto';

/**
 * A command that is executed after the time limit of its sender changes nothing: Redis may have been suspended, and its
 * sender has gone on. Times are those of Redis, because the clocks of servers differ.
 */
const time = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;
const inTime = `${time}
if now > tonumber(ARGV[1]) then return redis.error_reply('LATE The sender has gone on.') end`;

const ifOwner = `${inTime}
local saved = redis.pcall('HMGET', KEYS[1], 'o', 'f')
if saved.err or saved[1] ~= ARGV[2] or saved[2] ~= ARGV[3] then return 0 end`;

/**
 * The scripts run in Redis, each atomically. A session is a hash: `o`, its owner; `f`, the fence of its last claim; `r`, the
 * fence from which on that owner has had it; `s`, its state; `e`, until when its owner is expected to save it after a loss of
 * data. The lease of a server is a key of its own, so that one command renews it for all of its sessions.
 */
export const scripts = {
  /**
   * KEYS: lease of the caller, counter of fences, mark of lost data.
   * ARGV: lease in milliseconds, highest fence that the caller knows, how long data counts as lost, channel of the caller.
   *
   * It runs even if the memory of Redis is full, because sessions go on then. If Redis knows lower fences than the caller,
   * it has lost data, and marks that for some time. The message shows the caller that its subscription works.
   */
  renew: script(`#!lua flags=allow-oom${time}
local had = redis.call('SET', KEYS[1], 1, 'PX', ARGV[1], 'GET')
local fence = tonumber(redis.call('GET', KEYS[2])) or 0
if fence < tonumber(ARGV[2]) then
  fence = tonumber(ARGV[2]) + 1000
  redis.call('SET', KEYS[2], string.format('%.0f', fence))
  redis.call('SET', KEYS[3], 1, 'PX', ARGV[3])
elseif fence == 0 then
  fence = redis.call('INCR', KEYS[2])
end
redis.call('PUBLISH', ARGV[4], '')
return {now, fence, had and 1 or 0, redis.call('PTTL', KEYS[3])}`),
  /**
   * KEYS: session, lease of the caller, counter of fences, mark of lost data, where a key goes that is no session.
   * ARGV: deadline, caller, prefix of leases, expiry, what to claim, fence with which the caller holds it (0: it does not),
   * highest fence that the caller knows, whether to take over from an owner without a lease, until when the caller is certain
   * to hold the latest copy, prefix of channels, name of the session, how long data counts as lost.
   *
   * An owner that has a lease is requested to release the session.
   *
   * After a loss of data, a caller that is not certain, because its lease has ended since, may hold a copy that another one
   * has taken over. Until the mark of lost data expires, it is noted as owner without a fence (`o` and `r` alone), so that
   * it can save nothing. Whoever has a later copy takes its place. Then the last one that was noted may claim. Until it has
   * saved the session, or for as long again, no other server begins the session anew.
   */
  claim: script(`${inTime}
if redis.call('EXISTS', KEYS[2]) == 0 then return {'lapsed'} end
if (tonumber(redis.call('GET', KEYS[3])) or 0) < tonumber(ARGV[7]) then return {'lapsed'} end
local saved, aside = redis.pcall('HMGET', KEYS[1], 'o', 'f', 's', 'r', 'e'), 0
if saved.err then
  redis.call('RENAME', KEYS[1], KEYS[5])
  saved, aside = {false, false, '', false, false}, 1
end
local owner, held = saved[1] or '', tonumber(ARGV[6])
local first = tonumber(saved[4] or saved[2]) or 0
local lost = redis.call('PTTL', KEYS[4])
local isThere, isNoted = saved[1] or saved[2], saved[1] and not saved[2]
local expectedUntil = tonumber(saved[5]) or 0
local isCertain = held > 0 and now < tonumber(ARGV[9])
local isOwn = held >= first and owner == ARGV[2]
local isLater = held > first and (lost > 0 or isNoted or (isCertain and not isThere))
local keeps = held > 0 and (isOwn or isLater)
if keeps and lost > 0 and not isCertain then
  if isLater then
    redis.call('HSET', KEYS[1], 'o', ARGV[2], 'r', held, 'e', now + lost + ARGV[12])
    redis.call('HDEL', KEYS[1], 'f')
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
  end
  return {'wait', lost}
end
local other = owner ~= '' and owner ~= ARGV[2]
if not keeps then
  if held > 0 and not isThere then return {'none'} end
  if isNoted and now < expectedUntil then return {'wait', expectedUntil - now} end
  if ARGV[5] == 'own' and owner ~= ARGV[2] then return {'none'} end
  if other then
    local remaining = redis.call('PTTL', ARGV[3] .. owner)
    if remaining > 0 then redis.call('PUBLISH', ARGV[10] .. owner, ARGV[11]) end
    if remaining > 0 or ARGV[8] == '0' then return {'elsewhere', remaining} end
    if not saved[3] and now < expectedUntil then return {'wait', expectedUntil - now} end
  end
  if lost > 0 then return {'wait', lost} end
  if not isThere and ARGV[5] == 'existing' then return {'none'} end
end
local fence = redis.call('INCR', KEYS[3])
local from = keeps and (isOwn and first or held) or fence
redis.call('HSET', KEYS[1], 'o', ARGV[2], 'f', fence, 'r', from)
if keeps and (isNoted or not isThere) then redis.call('HSET', KEYS[1], 'e', now + ARGV[12]) end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return {'mine', fence, keeps and held or tonumber(saved[2]) or 0, saved[3], other and 1 or 0, aside}`),
  /** KEYS: session. ARGV: deadline, caller, fence, state, expiry. */
  save: script(`${ifOwner}
redis.call('HSET', KEYS[1], 's', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1`),
  /** KEYS: session. ARGV: deadline, caller, fence, state, expiry, channel of releases, name of the session. */
  release: script(`${ifOwner}
redis.call('HSET', KEYS[1], 's', ARGV[4], 'o', '')
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('PUBLISH', ARGV[6], ARGV[7])
return 1`),
  /** KEYS: session. ARGV: deadline, caller, fence, channel of releases, name of the session. */
  delete: script(`${ifOwner}
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', ARGV[4], ARGV[5])
return 1`),
};

/** Redis knows a script that it has run by its hash. */
function script(text: string): { readonly text: string; readonly hash: string } {
  return { text, hash: createHash('sha1').update(text).digest('hex') };
}
