import type { Change, PolledChanges } from '../../shared/change-feed.ts'

/** Changes that are told one by one; past it, forgetting all is the lesser work. */
const MAX_REPORTED = 1000

/**
 * What this process changed itself. It hears of that before whoever asked for the change has an answer, however long the
 * news from the database takes.
 */
export const ownChanges = () => {
  let own: Change[] | 'unknown' = []
  return {
    note: (changes: readonly Change[]): void => {
      if (own !== 'unknown') own = own.length + changes.length > MAX_REPORTED ? 'unknown' : [...own, ...changes]
    },
    /** These news and what is this process's own; nothing of the latter is told before the news can be. */
    joined: (news: PolledChanges): PolledChanges => {
      if (news === 'unsure' || own.length === 0) return news
      const told = own
      own = []
      return news === 'unknown' || told === 'unknown' ? 'unknown' : [...told, ...news]
    },
  }
}
