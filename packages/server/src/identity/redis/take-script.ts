/**
 * Takes one request from a limit, in one step that no other can come between. Decides by the arithmetic of `decideRateLimit` in the
 * core, and answers what stood before, from which `decideRateLimit` comes to the same decision and says the rest of it.
 *
 * A limit is one key, so the script runs on a cluster too: a list of the requests that were allowed, at most as many as the
 * ceiling, in the order of their times (which is not that of their arrival, where servers' clocks differ), and last, when
 * the bucket is full again. A refusal writes nothing. A key expires once it holds nothing against anybody for `kept`.
 *
 * Times are the caller's; Redis' own clock only ever counts the time to the expiry.
 */
export const TAKE_SCRIPT = `
local key = KEYS[1]
local now, burst, refill = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local ceiling, window, kept = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])

local capacity = burst * refill
local full_at = tonumber(redis.call('LINDEX', key, -1) or now)
local counted = math.max(full_at, now)
if full_at > now + capacity + window then counted = now end

-- The nth latest of the requests.
local function request(nth) return tonumber(redis.call('LINDEX', key, -1 - nth)) end
local length = redis.call('LLEN', key)
local requests = math.max(length - 1, 0)

-- What a leap of the clock left in the far future goes for good, before the clock can come near it again.
local leapt = counted < full_at
while requests > 0 and request(1) > now + window do
  redis.call('LTRIM', key, 0, -3)
  redis.call('RPUSH', key, full_at)
  requests = requests - 1
  leapt = true
end

local ceiling_ago = nil
if requests >= ceiling then ceiling_ago = request(ceiling) end
local allowed = counted + refill - now <= capacity and (ceiling_ago == nil or ceiling_ago + window <= now)

local stands = math.min(counted, full_at)
if allowed then
  stands = counted + refill
  local later = 0
  while later < requests and request(later + 1) > now do later = later + 1 end
  -- The first write is one that a full Redis refuses: after another, it would refuse nothing of the script any more.
  if length == 0 then
    redis.call('RPUSH', key, now, stands)
  elseif later == 0 then
    redis.call('LSET', key, -1, now)
    redis.call('RPUSH', key, stands)
  else
    redis.call('LINSERT', key, 'BEFORE', request(later), now)
    redis.call('LSET', key, -1, stands)
  end
  requests = requests + 1
  redis.call('LTRIM', key, -1 - ceiling, -1)
elseif leapt then
  redis.call('LSET', key, -1, stands)
end

if allowed or leapt then
  local latest = now
  if requests > 0 then latest = request(1) end
  redis.call('PEXPIRE', key, math.max(stands, latest + window) - now + kept)
end
return { full_at, ceiling_ago }
`
