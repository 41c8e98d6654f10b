import { type Countersign, EmailTaken } from '@countersign/core'
import { type Config, createLogger, demoUser, openCountersign } from '@countersign/server'
import { demoCustomer } from './credentials.ts'

/** The demo data, created now or earlier. */
export interface Seeded {
  /** The customer for whom projects can be created. */
  readonly customerId: string
}

const seedUser = async ({ users }: Countersign): Promise<void> => {
  try {
    await users.create({ ...demoUser, permissions: ['project.*'] })
  } catch (error) {
    if (!(error instanceof EmailTaken)) throw error
  }
}

const seedCustomer = async ({ customers }: Countersign): Promise<string> => {
  for await (const { id } of customers.list()) return id
  return (await customers.create(demoCustomer)).id
}

/** Migrates the database and creates the demo data that is missing. Existing data stays unchanged. */
export const seed = async (config: Config): Promise<Seeded> => {
  const { countersign, storage, close } = await openCountersign(config, { logger: createLogger('silent') })
  try {
    await storage.migrate()
    await seedUser(countersign)
    return { customerId: await seedCustomer(countersign) }
  } finally {
    await close()
  }
}
