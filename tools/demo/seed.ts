import { type Countersign, EmailTaken } from '@countersign/core'
import { type Config, createLogger, demoUser, openCountersign } from '@countersign/server'
import { demoCustomer } from './credentials.ts'

/** What was made, or was there already. */
export interface Seeded {
  /** For whom projects can be created. */
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

/** What a person needs to try things out. Of what is there already, nothing is changed. Migrates the database first. */
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
