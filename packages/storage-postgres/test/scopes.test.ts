import { afterAll, beforeAll } from 'vitest'
import { createPostgresDatabase, type PostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { describeScopes } from '../../core/src/testing/contract/describe-scopes.ts'
import { openPostgres } from '../src/index.ts'

let database: PostgresDatabase

beforeAll(async () => {
  database = await createPostgresDatabase()
})

afterAll(() => database.drop())

describeScopes('PostgreSQL', async () => {
  const storage = await openPostgres({ url: database.url })
  await storage.migrate()
  return storage
})
