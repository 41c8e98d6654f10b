import { resolve } from 'node:path'
import type { Part, StorageObserver } from '@countersign/core'
import type { MigratedStorage } from '@countersign/core/storage'
import { createStorage, storedParts, tablesOf } from '@countersign/storage-sql'
import { changeFeed, oncePerTick } from './change-feed.ts'
import { connect } from './connect.ts'
import { dialectFeatures } from './dialect-features.ts'
import { sqliteEngine } from './engine.ts'

export const openStorage = async (
  file: string,
  prefix: string,
  named?: readonly Part[],
  observer?: StorageObserver,
): Promise<MigratedStorage> => {
  const path = resolve(file)
  const parts = storedParts(named)
  const connections = await connect(path)
  return createStorage({
    engine: sqliteEngine(path, connections, prefix, tablesOf(parts), observer),
    features: dialectFeatures(prefix),
    parts,
    feed: oncePerTick(changeFeed(connections.reader, prefix)),
  })
}
