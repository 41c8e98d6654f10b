import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { Invalid } from '../../shared/errors.ts'
import { hasScope, MissingScope, requireScope } from './calling-service.ts'
import { InvalidAccessToken } from './errors.ts'

const refused = new InvalidAccessToken()
const redeem = 'confirmation.redeem:payment_approval'

describe('a service that authenticates', () => {
  it('gets its name in lower case, and its scopes', async () => {
    const { countersign } = await createTestCountersign()
    const { token } = await countersign.serviceTokens.issue({ service: 'Billing', scopes: [redeem, 'verify'] })
    const service = await countersign.auth.authenticateService({ token, serviceName: 'BILLING' })
    expect(service).toStrictEqual({ name: 'billing', within: [], scopes: [redeem, 'verify'] })
  })

  it('must have the name of its token', async () => {
    const { countersign } = await createTestCountersign()
    const { token } = await countersign.serviceTokens.issue({ service: 'billing' })
    const asking = countersign.auth.authenticateService({ token, serviceName: 'shipping' })
    await expect(asking).rejects.toStrictEqual(refused)
  })

  it.each(['', ' billing', 'bill\ting', 'a'.repeat(65), 'b€'])(
    'must have a valid name, and %j is refused',
    async (serviceName) => {
      const { countersign } = await createTestCountersign()
      const { token } = await countersign.serviceTokens.issue({ service: 'billing' })
      const asking = countersign.auth.authenticateService({ token, serviceName })
      await expect(asking).rejects.toThrow(Invalid)
      await expect(asking).rejects.toMatchObject({ fields: { serviceName: expect.stringMatching(/^must be 1 to 64/) } })
    },
  )

  it.each([null, {}, { token: 7, serviceName: 'billing' }])(
    'must give a token as text, and %j is refused',
    async (credentials) => {
      const { countersign } = await createTestCountersign()
      await expect(countersign.auth.authenticateService(credentials as never)).rejects.toThrow(Invalid)
    },
  )
})

describe('a scope', () => {
  it('counts if the service has exactly this scope', () => {
    expect(() => requireScope({ scopes: ['verify', redeem] }, redeem)).not.toThrow()
  })

  it.each([
    '*',
    '*.*',
    'confirmation.*',
    'confirmation.redeem',
    'confirmation.redeem:*',
    'confirmation.redeem:payment',
    `${redeem}s`,
    'confirmation.read:payment_approval',
  ])('is not granted by %s', (scope) => {
    expect(() => requireScope({ scopes: [scope] }, redeem)).toThrow(MissingScope)
  })

  it('with an asterisk never counts', () => {
    expect(hasScope({ scopes: ['confirmation.redeem:*'] }, 'confirmation.redeem:*')).toBe(false)
  })
})
