import type { CachedChange, PolledChanges } from '../../shared/change-feed.ts'

/** The greatest number of changes that are reported one by one. With more, clearing the cache is cheaper. */
const MAX_REPORTED = 1000

/**
 * Collects the changes of this process. The process applies them before the caller of a change gets an answer, however long the
 * notification from the database takes.
 */
export const ownChanges = () => {
  let own: CachedChange[] | 'unknown' = []
  return {
    note: (changes: readonly CachedChange[]): void => {
      if (own !== 'unknown') own = own.length + changes.length > MAX_REPORTED ? 'unknown' : [...own, ...changes]
    },
    /** Returns these changes together with the process's own. While the feed is unsure, the own changes are kept for later. */
    joined: (news: PolledChanges<CachedChange>): PolledChanges<CachedChange> => {
      if (news === 'unsure' || own.length === 0) return news
      const reported = own
      own = []
      return news === 'unknown' || reported === 'unknown' ? 'unknown' : [...reported, ...news]
    },
  }
}
