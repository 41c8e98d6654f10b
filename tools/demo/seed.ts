import { type CountersignIdentity, type CountersignProjects, errors } from '@countersign/core'
import { type Config, createLogger, demoUser, openCountersign } from '@countersign/server'

export const demoCustomer = { name: 'Ada’s Workshop', email: 'office@adas-workshop.example' } as const

export interface Seeded {
  /** The customer for whom projects can be created; `undefined` if the part `projects` is not served. */
  readonly customerId: string | undefined
}

const seedUser = async ({ users }: CountersignIdentity): Promise<void> => {
  try {
    await users.create({ ...demoUser, permissions: ['project.*'] })
  } catch (error) {
    if (!(error instanceof errors.EmailTaken)) throw error
  }
}

const seedCustomer = async ({ customers }: Pick<CountersignProjects, 'customers'>): Promise<string> => {
  for await (const { id } of customers.list()) return id
  return (await customers.create(demoCustomer)).id
}

/** Migrates the database and creates the missing demo data of the served parts. Existing data stays unchanged. */
export const seed = async (config: Config): Promise<Seeded> => {
  const { countersign, storage, close } = await openCountersign(config, { logger: createLogger('silent') })
  try {
    await storage.migrate()
    const { customers } = countersign
    if (config.parts?.includes('identity') !== false) await seedUser(countersign)
    return { customerId: customers && (await seedCustomer({ customers })) }
  } finally {
    await close()
  }
}
