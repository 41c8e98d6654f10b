import { CLOCK_TOLERANCE } from '@countersign/core/storage'

/**
 * The Lua script that counts one request as one atomic step, with the arithmetic of `takeFromState` in the core. It returns the
 * state before the request, without a leap of the clock, of which `decideRateLimit` makes the decision.
 * Each limit is one key, so the script also runs on a cluster. The value is a list: the times of the allowed requests, sorted
 * because the clocks of servers may differ, and then the time at which the bucket is full again. A refusal writes nothing.
 * All times come from the caller. The script has at most six arguments: Redis reads no longer command from a client without a
 * password, and would not answer `NOAUTH`.
 */
export const TAKE_SCRIPT = `
local key = KEYS[1]
local now, burst, refill = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local ceiling, window, kept = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local tolerance = ${CLOCK_TOLERANCE}

-- Returns the time of the nth latest request.
local function request(nth) return tonumber(redis.call('LINDEX', key, -1 - nth)) end
local length = redis.call('LLEN', key)
local requests = math.max(length - 1, 0)

-- The milliseconds by which the clock that stored the latest request was ahead.
local leap = 0
if requests > 0 and request(1) - now > tolerance then leap = request(1) - now end

local capacity = burst * refill
local full_at = tonumber(redis.call('LINDEX', key, -1) or now)
local known_full_at, counted = full_at, now
if full_at <= now + capacity + window then
  known_full_at = full_at - leap
  if known_full_at > now + capacity + tolerance then known_full_at = now + capacity end
  counted = math.max(known_full_at, now)
end

-- Remove requests that a change of the clock left far in the future. Otherwise they would count again later.
local repaired = counted < full_at or leap > 0
while requests > 0 and request(1) > now + window do
  redis.call('LTRIM', key, 0, -3)
  redis.call('RPUSH', key, full_at)
  requests = requests - 1
  repaired = true
end

-- A server whose clock is ahead has stored these requests. They count at the time of this clock.
if leap > 0 then
  local nth = 1
  while nth <= requests and request(nth) > now do
    redis.call('LSET', key, -1 - nth, now)
    nth = nth + 1
  end
end

local ceiling_ago = nil
if requests >= ceiling then ceiling_ago = request(ceiling) end
local allowed = counted + refill - now <= capacity and (ceiling_ago == nil or ceiling_ago + window <= now)

local new_full_at = math.min(counted, full_at)
if allowed then
  new_full_at = counted + refill
  local later = 0
  while later < requests and request(later + 1) > now do later = later + 1 end
  -- A full Redis refuses only the first write of a script, and only a command that may need memory. So LTRIM, which needs none,
  -- comes last.
  if length == 0 then
    redis.call('RPUSH', key, now, new_full_at)
  elseif later == 0 then
    redis.call('LSET', key, -1, now)
    redis.call('RPUSH', key, new_full_at)
  else
    redis.call('LINSERT', key, 'BEFORE', request(later), now)
    redis.call('LSET', key, -1, new_full_at)
  end
  requests = requests + 1
  redis.call('LTRIM', key, -1 - ceiling, -1)
elseif repaired then
  redis.call('LSET', key, -1, new_full_at)
end

if allowed or repaired then
  local latest = now
  if requests > 0 then latest = request(1) end
  redis.call('PEXPIRE', key, math.max(new_full_at, latest + window) - now + kept)
end
return { known_full_at, ceiling_ago }
`

/** Gives a request back in one atomic step, with the arithmetic of `giveBackToState`. The expiry of the key stays. */
export const GIVE_BACK_SCRIPT = `
local key = KEYS[1]
local taken_at, refill = tonumber(ARGV[1]), tonumber(ARGV[2])

local list = redis.call('LRANGE', key, 0, -1)
local requests = #list - 1
local nth = requests
while nth > 0 and tonumber(list[nth]) > taken_at do nth = nth - 1 end
if nth < 1 or tonumber(list[nth]) ~= taken_at then return 0 end

local full_by_later = taken_at
for later = nth + 1, requests do full_by_later = math.max(full_by_later, tonumber(list[later])) + refill end

-- LREM needs no memory, so it comes first: a full Redis refuses only the first write of a script.
redis.call('LREM', key, 1, list[nth])
redis.call('LSET', key, -1, math.max(tonumber(list[requests + 1]) - refill, full_by_later))
return 1
`
