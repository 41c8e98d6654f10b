import { type Change, type ChangeFeed, MAX_REPORTED } from '@countersign/storage-sql'
import type { Connection } from './connect.ts'
import { asUnavailable } from './errors.ts'

type NumberedChange = Change & { readonly seq: number }

const prepareReads = (reader: Connection, table: string) => ({
  since: reader.prepare<[number, number], NumberedChange>(
    `select seq, kind, subject from "${table}" where seq >= ? order by seq limit ?`,
  ),
  newest: reader.prepare<[], { seq: number | null }>(`select max(seq) as seq from "${table}"`),
})

/**
 * Creates a feed on a reading connection. A commit on any other connection, including this process's writer, changes its
 * `data_version`, which takes one or two microseconds to read.
 *
 * @param versionOf The query for the version; another one is for a database with a single connection.
 */
export const changeFeed = (reader: Connection, prefix: string, versionOf = 'pragma data_version'): ChangeFeed => {
  const version = reader.prepare(versionOf).pluck()
  // Statements are prepared at the first use, because the table might not exist before the migrations.
  let prepared: ReturnType<typeof prepareReads> | undefined
  const reads = () => {
    prepared ??= prepareReads(reader, `${prefix}changes`)
    return prepared
  }
  let seenVersion: unknown
  let lastSeq: number | undefined

  /** Reads from the last reported change on. If that row is missing, later rows may be missing too. */
  const readSince = (last: number): NumberedChange[] | undefined => {
    const rows = reads().since.all(last, MAX_REPORTED + 2)
    if (last > 0 && rows.shift()?.seq !== last) return undefined
    const isComplete = (rows.at(-1)?.seq ?? last) === last + rows.length
    return isComplete && rows.length <= MAX_REPORTED ? rows : undefined
  }

  const poll = (): readonly Change[] | 'unknown' => {
    // Read before the changes, so that a concurrent commit is noticed at the next poll.
    const current = version.get()
    if (current === seenVersion) return []
    const changes = lastSeq === undefined ? undefined : readSince(lastSeq)
    lastSeq = changes === undefined ? (reads().newest.get()?.seq ?? 0) : (changes.at(-1)?.seq ?? lastSeq)
    seenVersion = current
    return changes ?? 'unknown'
  }

  return {
    poll: () => {
      try {
        return poll()
      } catch (error) {
        throw asUnavailable(error)
      }
    },
  }
}

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
