import { afterAll, beforeAll } from 'vitest'
import type { PostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { describeTenants } from '../../core/src/testing/contract/describe-tenants.ts'
import { openPostgres } from '../src/index.ts'
import { createMigrated } from './open-migrated.ts'

let database: PostgresDatabase

beforeAll(async () => {
  database = await createMigrated()
})

afterAll(() => database.drop())

describeTenants('PostgreSQL', () => openPostgres({ url: database.url }))
