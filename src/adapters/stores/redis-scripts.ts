/**
 * The scripts run in Redis, each atomically. A session is a hash: `o`, its owner; `f`, the fence of its claim; `s`, its
 * state; `t`, whether that claim has taken it over from an owner that had not released it. The lease of an owner is a key of its own with the owner's URL, so that one command renews all of its sessions.
 */
export const scripts = {
  /** KEYS: session, lease of the caller, counter of fences. ARGV: caller, URL, lease, prefix of leases, expiry, what to claim. */
  claim: `
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
local saved = redis.call('HMGET', KEYS[1], 'o', 'f', 's', 't')
local owner = saved[1] or ''
if not saved[2] and ARGV[6] == 'existing' then return {'none'} end
if owner ~= '' and owner ~= ARGV[1] then
  local url = redis.call('GET', ARGV[4] .. owner)
  if url then return {'elsewhere', owner, url, redis.call('PTTL', ARGV[4] .. owner), saved[4]} end
end
if ARGV[6] == 'none' then return {'none'} end
local fence = redis.call('INCR', KEYS[3])
redis.call('HSET', KEYS[1], 'o', ARGV[1], 'f', fence)
if owner == '' then redis.call('HDEL', KEYS[1], 't') elseif owner ~= ARGV[1] then redis.call('HSET', KEYS[1], 't', 1) end
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return {'mine', fence, saved[2] or 0, saved[3] or false, owner}`,
  /** KEYS: session. ARGV: caller, fence, state, expiry, owner from now on. */
  save: `
local saved = redis.call('HMGET', KEYS[1], 'o', 'f')
if saved[1] ~= ARGV[1] or saved[2] ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 's', ARGV[3], 'o', ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`,
  /** KEYS: session. ARGV: caller, fence. */
  delete: `
local saved = redis.call('HMGET', KEYS[1], 'o', 'f')
if saved[1] ~= ARGV[1] or saved[2] ~= ARGV[2] then return 0 end
return redis.call('DEL', KEYS[1])`,
} as const;
