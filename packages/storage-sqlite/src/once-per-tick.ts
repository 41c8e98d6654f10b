import type { ChangeFeed } from '@countersign/storage-sql'

/**
 * Limits a feed to one poll per microtask tick. Within a tick, a caller cannot know of a newer change. A server that handles
 * concurrent requests in one tick polls once for all of them; see ADR 0018.
 *
 * The tick ends with the next microtask, so a caller that has awaited anything sees every change before that.
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
