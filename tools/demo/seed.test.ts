import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allParts, generateKeyRing, systemRandom } from '@countersign/core'
import { createLogger, demoUser, openCountersign, readConfig } from '@countersign/server'
import { afterAll, expect, test } from 'vitest'
import { demoCustomer, seed } from './seed.ts'

const directory = mkdtempSync(join(tmpdir(), 'countersign-seed-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const config = readConfig({
  COUNTERSIGN_DATABASE_URL: `sqlite:${join(directory, 'countersign.db')}`,
  COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
  COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
})

test('the customer for the first project is created once', async () => {
  const { customerId = '' } = await seed(config)
  expect(await seed(config)).toEqual({ customerId })
  const { countersign, close } = await openCountersign(config, { logger: createLogger('silent'), parts: allParts })
  const { id: userId } = await countersign.users.find({ email: demoUser.email })
  const given = { name: 'A bridge', customerId, contractValue: 1, currency: 'EUR' }
  const { customer } = await countersign.projects.create({ caller: { userId, permissions: ['project.*'] }, ...given })
  expect(customer).toEqual({ id: customerId, ...demoCustomer })
  await close()
})

test('a part that is not served gets no demo data', async () => {
  const databaseUrl = `sqlite:${join(directory, 'parts.db')}`
  const { countersign, storage, close } = await openCountersign(
    { ...config, databaseUrl },
    { logger: createLogger('silent'), parts: allParts },
  )
  const emails: string[] = []
  const customerIds: string[] = []
  const read = async () => {
    for await (const { email } of countersign.users.list()) emails.push(email)
    for await (const { id } of countersign.customers.list()) customerIds.push(id)
  }
  await storage.migrate()
  expect(await seed({ ...config, databaseUrl, parts: ['projects'] })).toEqual({ customerId: expect.any(String) })
  await read()
  expect([emails, customerIds.length]).toEqual([[], 1])
  expect(await seed({ ...config, databaseUrl, parts: ['identity', 'approvals'] })).toEqual({ customerId: undefined })
  await read()
  expect(emails).toEqual([demoUser.email])
  await close()
})

test('the demo user is created once, can log in, and keeps later changes', async () => {
  await seed(config)
  const { countersign, close } = await openCountersign(config, { logger: createLogger('silent'), parts: allParts })
  const { email, password, name } = demoUser
  await countersign.auth.login({ email, password })
  expect(await countersign.users.find({ email })).toMatchObject({ id: 1, name, permissions: ['project.*'] })

  await countersign.users.grant({ email, permissions: ['order.read'] })
  await seed(config)
  expect(await countersign.users.find({ email })).toMatchObject({ id: 1, permissions: ['order.read', 'project.*'] })
  await close()
})
