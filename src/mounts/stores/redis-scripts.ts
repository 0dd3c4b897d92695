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

/**
 * The scripts run in Redis, each atomically. A session is a hash: `o`, its owner; `f`, the fence of its last claim; `r`, the
 * fence from which on that owner has had it; `s`, its state. The lease of an owner is a key of its own with the owner's
 * URL, so that one command renews all of its sessions.
 */
export const scripts = {
  /**
   * KEYS: lease of the caller, counter of fences, mark of lost data, URLs of servers, lease of the caller's URL, secret.
   * ARGV: URL, lease, highest fence that the caller knows, whether other servers may send it requests, proposed secret.
   *
   * It runs even if the memory of Redis is full, because sessions go on then. If Redis knows lower fences than the caller,
   * it has lost data, which it marks for one lease.
   */
  renew: script(`#!lua flags=allow-oom${time}
local had = redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'GET')
local fence = tonumber(redis.call('GET', KEYS[2])) or 0
if fence < tonumber(ARGV[3]) then
  fence = tonumber(ARGV[3]) + 1000
  redis.call('SET', KEYS[2], string.format('%.0f', fence))
  redis.call('SET', KEYS[3], 1, 'PX', ARGV[2])
elseif fence == 0 then
  fence = redis.call('INCR', KEYS[2])
end
if ARGV[1] ~= '' then redis.call('SET', KEYS[5], 1, 'PX', ARGV[2]) end
if ARGV[4] == '1' then
  redis.call('ZADD', KEYS[4], now + ARGV[2], ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[4], 0, now - ARGV[2])
end
redis.call('SET', KEYS[6], ARGV[5], 'NX')
return {now, fence, had and 1 or 0, redis.call('GET', KEYS[6])}`),
  /**
   * KEYS: session, lease of the caller, counter of fences, mark of lost data, where a key goes that is no session.
   * ARGV: deadline, caller, prefix of leases, expiry, what to claim, fence with which the caller holds it (0: it does not),
   * highest fence that the caller knows, whether to take over from an owner without a lease, until when the caller is certain
   * to hold the latest copy.
   *
   * After a loss of data, a caller that is not certain, because its lease has ended since, may hold a copy that another one
   * has taken over. Until the mark of lost data expires, it is noted as owner without a fence (`o` and `r` alone), so that
   * it can save nothing. Whoever has a later copy takes its place. Then the last one that was noted may claim.
   */
  claim: script(`${inTime}
if redis.call('EXISTS', KEYS[2]) == 0 then return {'lapsed'} end
if (tonumber(redis.call('GET', KEYS[3])) or 0) < tonumber(ARGV[7]) then return {'lapsed'} end
local saved, aside = redis.pcall('HMGET', KEYS[1], 'o', 'f', 's', 'r'), 0
if saved.err then
  redis.call('RENAME', KEYS[1], KEYS[5])
  saved, aside = {false, false, '', false}, 1
end
local owner, held = saved[1] or '', tonumber(ARGV[6])
local first = tonumber(saved[4] or saved[2]) or 0
local lost = redis.call('PTTL', KEYS[4])
local isThere, isNoted = saved[1] or saved[2], saved[1] and not saved[2]
local isCertain = held > 0 and now < tonumber(ARGV[9])
local isOwn = held >= first and owner == ARGV[2]
local isLater = held > first and (lost > 0 or isNoted or (isCertain and not isThere))
local keeps = held > 0 and (isOwn or isLater)
if keeps and lost > 0 and not isCertain then
  if isLater then
    redis.call('HSET', KEYS[1], 'o', ARGV[2], 'r', held)
    redis.call('HDEL', KEYS[1], 'f')
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
  end
  return {'wait', lost}
end
local other = owner ~= '' and owner ~= ARGV[2]
if not keeps then
  if held > 0 and not isThere then return {'none'} end
  if isNoted and lost > 0 then return {'wait', lost} end
  if other then
    local url = redis.call('GET', ARGV[3] .. owner)
    if url then return {'elsewhere', owner, url, redis.call('PTTL', ARGV[3] .. owner)} end
    if ARGV[8] == '0' then return {'wait', 250} end
  end
  if lost > 0 then return {'wait', lost} end
  if ARGV[5] == 'none' or (not isThere and ARGV[5] == 'existing') then return {'none'} end
end
local fence = redis.call('INCR', KEYS[3])
local from = keeps and (isOwn and first or held) or fence
redis.call('HSET', KEYS[1], 'o', ARGV[2], 'f', fence, 'r', from)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return {'mine', fence, keeps and held or tonumber(saved[2]) or 0, saved[3], other and 1 or 0, aside}`),
  /** KEYS: session. ARGV: deadline, caller, fence, state, expiry, owner from now on. */
  save: script(`${inTime}
local saved = redis.pcall('HMGET', KEYS[1], 'o', 'f')
if saved.err or saved[1] ~= ARGV[2] or saved[2] ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], 's', ARGV[4], 'o', ARGV[6])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1`),
  /** KEYS: session. ARGV: deadline, caller, fence. */
  delete: script(`${inTime}
local saved = redis.pcall('HMGET', KEYS[1], 'o', 'f')
if saved.err or saved[1] ~= ARGV[2] or saved[2] ~= ARGV[3] then return 0 end
return redis.call('DEL', KEYS[1])`),
  /** KEYS: URLs of servers. ARGV: URL of the caller, prefix of leases of URLs. */
  peer: script(`${time}
for _, url in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], now, '+inf')) do
  if url ~= ARGV[1] and redis.call('EXISTS', ARGV[2] .. url) == 1 then return url end
end
return false`),
};

/** Redis knows a script that it has run by its hash. */
function script(text: string): { readonly text: string; readonly hash: string } {
  return { text, hash: createHash('sha1').update(text).digest('hex') };
}
