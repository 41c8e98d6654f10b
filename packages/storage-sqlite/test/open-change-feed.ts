import type { ChangeFeed } from '@countersign/storage-sql'
import { onTestFinished } from 'vitest'
import { changeFeed } from '../src/change-feed.ts'
import { type Connection, connect } from '../src/connect.ts'
import { openMigrated, TABLE_PREFIX } from './open-migrated.ts'
import { temporaryPath } from './temporary-file.ts'

interface OpenFeed {
  readonly feed: ChangeFeed
  /** The connection on which changes are written. */
  readonly writer: Connection
  /** Records the change of a session. */
  readonly change: (session: string) => void
}

/** Opens the feed of a new database. It is closed when the test ends. */
export const openFeed = async (): Promise<OpenFeed> => {
  const path = temporaryPath()
  await openMigrated(path)
  const { reader, writer } = await connect(path)
  onTestFinished(() => {
    reader.close()
    writer.close()
  })
  const insert = writer.prepare('insert into countersign_changes (kind, subject, at) values (?, ?, 0)')
  return { feed: changeFeed(reader, TABLE_PREFIX), writer, change: (session) => insert.run('session', session) }
}
