import { resolve } from 'node:path'
import type { MigratedStorage } from '@countersign/core'
import { createStorage } from '@countersign/storage-sql'
import { changeFeed } from './change-feed.ts'
import { connect } from './connect.ts'
import { sqliteEngine } from './engine.ts'
import { flavour } from './flavour.ts'
import { oncePerTurn } from './once-per-turn.ts'

export const openStorage = async (file: string): Promise<MigratedStorage> => {
  const path = resolve(file)
  const connections = await connect(path)
  const feed = oncePerTurn(changeFeed(connections.reader))
  return createStorage({ engine: sqliteEngine(path, connections, feed.expectNews), flavour, feed })
}
