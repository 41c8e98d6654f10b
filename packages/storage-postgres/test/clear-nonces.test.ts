import { onTestFinished } from 'vitest'
import { describeClearNonces } from '../../storage-sql/test/describe-clear-nonces.ts'
import { connectionSettings } from '../src/connection-settings.ts'
import { features } from '../src/dialect-features.ts'
import { postgresEngine } from '../src/engine.ts'
import { createPool } from '../src/pool.ts'
import { connector } from '../src/servers/connector.ts'
import { readServers } from '../src/servers/read-servers.ts'
import { connect, newDatabase, open } from './open-migrated.ts'

describeClearNonces('PostgreSQL', async () => {
  const url = await newDatabase()
  const servers = connector(readServers(url), connectionSettings)
  const engine = postgresEngine(servers, createPool(servers, 2))
  onTestFinished(() => engine.close())
  const client = await connect(url)
  return {
    engine,
    features,
    openStorage: () => open(url),
    nonces: async () => {
      const { rows } = await client.query<{ nonce: string }>('select nonce from confirmations')
      return rows.map(({ nonce }) => nonce)
    },
  }
})
