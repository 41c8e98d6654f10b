import { resolve } from 'node:path'
import type { MigratedStorage } from '@countersign/core/storage'
import { createStorage } from '@countersign/storage-sql'
import { changeFeed } from './change-feed.ts'
import { connect } from './connect.ts'
import { flavour } from './dialect-features.ts'
import { sqliteEngine } from './engine.ts'
import { onceARun } from './once-a-run.ts'

export const openStorage = async (file: string): Promise<MigratedStorage> => {
  const path = resolve(file)
  const connections = await connect(path)
  return createStorage({ engine: sqliteEngine(path, connections), flavour, feed: onceARun(changeFeed(connections.reader)) })
}
