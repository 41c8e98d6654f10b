import { createVirtualPasskey } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { createTestClient, logInNewUser } from '../../testing/test-client.ts'

describe('passkeys of an app that asks the authenticator itself', () => {
  it('can be created, used for a login, and removed', async () => {
    const given = await createTestClient()
    const { user } = await logInNewUser(given)
    const { client } = given
    const passkey = createVirtualPasskey()
    const creating = await client.passkeys.beginRegistration({ userVerification: 'required' })
    const created = { challengeId: creating.challengeId, credential: passkey.create(creating.publicKey) }
    const { credential } = await client.passkeys.finishRegistration(created)

    const other = given.another()
    const asking = await other.passkeys.beginLogin({ email: user.email })
    await other.passkeys.finishLogin({ challengeId: asking.challengeId, credential: passkey.get(asking.publicKey) })
    expect(await other.passkeys.list()).toMatchObject({ credentials: [{ id: credential.id }] })

    await client.passkeys.rename({ credentialId: credential.id, name: 'Laptop' })
    await client.passkeys.remove({ credentialId: credential.id })
    await expect(other.passkeys.list()).rejects.toMatchObject({ status: 401 })
  })
})

describe('a platform without passkeys', () => {
  it('rejects with UNSUPPORTED before any request', async () => {
    const given = await createTestClient()
    await logInNewUser(given)
    await expect(given.client.passkeys.create()).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    await expect(given.client.passkeys.login({ autofill: true })).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    expect(given.sent).toEqual([])
  })
})
