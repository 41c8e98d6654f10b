import { expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../testing/test-app.ts'

const headers = { 'x-forwarded-for': '198.51.100.7' }
const warningsOf = ({ logger }: TestApp) => logger.entries.filter(({ event }) => event === 'forwarded_for_ignored')
const begin = (test: TestApp, given = {}) => test.call('mobile.beginLogin', { deviceFingerprint: 'x' }, { headers: given })

it('an unexpected X-Forwarded-For header causes one warning that names the setting but no address', async () => {
  const test = await createTestApp()
  await begin(test)
  expect(warningsOf(test)).toEqual([])
  for (let request = 0; request < 3; request += 1) await begin(test, headers)
  expect(warningsOf(test)).toEqual([
    {
      level: 'warn',
      event: 'forwarded_for_ignored',
      fields: { hint: expect.stringContaining('COUNTERSIGN_TRUST_PROXY') },
    },
  ])
  expect(JSON.stringify(test.logger.entries)).not.toContain('198.51.100.7')
})

it.each(['health.check', 'devices.list', 'internal.verify'] as const)(
  'the warning is caused by any operation: %s',
  async (name) => {
    const test = await createTestApp()
    await test.call(name, name === 'internal.verify' ? { serviceName: 'billing' } : {}, { headers, token: 'a.b.c' })
    expect(warningsOf(test)).toHaveLength(1)
  },
)

it('no warning is given behind the configured number of proxies', async () => {
  const test = await createTestApp({ app: { trustProxy: 1 } })
  await begin(test, headers)
  expect(warningsOf(test)).toEqual([])
})
