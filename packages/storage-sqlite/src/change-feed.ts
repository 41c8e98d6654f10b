import type { Change, ChangeFeed } from '@countersign/storage-sql'
import type { Connection } from './connect.ts'
import { asUnavailable } from './errors.ts'

/** Changes that are told one by one; past it, forgetting all is the lesser work. */
const MAX_REPORTED = 1000

type NumberedChange = Change & { readonly seq: number }

const prepareReads = (reader: Connection, table: string) => ({
  since: reader.prepare<[number, number], NumberedChange>(
    `select seq, kind, subject from "${table}" where seq >= ? order by seq limit ?`,
  ),
  newest: reader.prepare<[], { seq: number | null }>(`select max(seq) as seq from "${table}"`),
})

/**
 * The feed of a connection that only reads: any commit of another connection, this process's writer among them, changes
 * its `data_version`, which costs a microsecond or two to ask.
 */
export const changeFeed = (reader: Connection, prefix: string): ChangeFeed => {
  const version = reader.prepare('pragma data_version').pluck()
  // The table is there once the database has been migrated, which is not when it is opened.
  let prepared: ReturnType<typeof prepareReads> | undefined
  const reads = () => {
    prepared ??= prepareReads(reader, `${prefix}changes`)
    return prepared
  }
  let seenVersion: unknown
  let lastTold: number | undefined

  /** Begins with the change told last: were it missing, so might others be that came after it. */
  const readSince = (last: number): NumberedChange[] | undefined => {
    const rows = reads().since.all(last, MAX_REPORTED + 2)
    if (last > 0 && rows.shift()?.seq !== last) return undefined
    const isComplete = (rows.at(-1)?.seq ?? last) === last + rows.length
    return isComplete && rows.length <= MAX_REPORTED ? rows : undefined
  }

  const poll = (): readonly Change[] | 'unknown' => {
    // Before the changes: one that is committed in between shows at the next call.
    const current = version.get()
    if (current === seenVersion) return []
    const told = lastTold === undefined ? undefined : readSince(lastTold)
    lastTold = told === undefined ? (reads().newest.get()?.seq ?? 0) : (told.at(-1)?.seq ?? lastTold)
    seenVersion = current
    return told ?? 'unknown'
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
