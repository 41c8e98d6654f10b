import { createVirtualPasskey } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { claimsOf } from '../testing/claims-of.ts'
import { passkeyLogin, registerPasskey, signPasskeyLogin } from '../testing/passkeys.ts'
import { signIn } from '../testing/sign-in.ts'
import { createTestApp } from '../testing/test-app.ts'

describe('passkeys over HTTP', () => {
  it.each(['ES256', 'RS256'] as const)('go from a registration to a login, with %s', async (algorithm) => {
    const test = createTestApp()
    const { user, token } = await signIn(test)
    const passkey = await registerPasskey(test, token, createVirtualPasskey({ algorithm }))
    const tokens = await passkeyLogin(test, passkey)
    expect(claimsOf(tokens.accessToken)).toMatchObject({
      id: user.id,
      auth_method: 'webauthn',
      token_use: 'access',
      trust_level: 'standard',
    })
    expect((await test.call('devices.list', {}, { token: tokens.accessToken })).status).toBe(200)
    const again = await test.call('passkeys.finishLogin', await signPasskeyLogin(test, passkey, { email: user.email }))
    expect(again.status).toBe(200)
  })
})
