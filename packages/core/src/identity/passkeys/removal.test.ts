import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { registerTestPasskey, signInByPasskey, signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { signInNewUser } from '../../testing/sign-in.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'
import { PasskeyOfSeveralUsers } from './errors.ts'

const given = async () => {
  const test = await createTestCountersign()
  return { ...test, ...(await signInNewPasskeyUser(test)) }
}

describe('removing a passkey', () => {
  it('ends the sessions that the passkey opened, and no others', async () => {
    const test = await given()
    const other = await registerTestPasskey(test, test.caller)
    const [first, second] = [await signInByPasskey(test, test.virtual), await signInByPasskey(test, test.virtual)]
    const byOther = await signInByPasskey(test, other.virtual)
    await test.countersign.passkeys.remove({ caller: first.caller, credentialId: test.passkey.id })
    for (const { tokens } of [first, second]) {
      await expect(test.countersign.auth.authenticate({ token: tokens.accessToken })).rejects.toThrow('Invalid or expired token')
      await expect(test.countersign.auth.refresh({ refreshToken: tokens.refreshToken })).rejects.toThrow('Invalid refresh token')
    }
    for (const { tokens } of [test, byOther]) await test.countersign.auth.authenticate({ token: tokens.accessToken })
    expect(await test.countersign.passkeys.list({ caller: test.caller })).toStrictEqual([
      expect.objectContaining({ id: other.passkey.id }),
    ])
  })

  it('stops a login that has already begun', async () => {
    const test = await given()
    const begun = await test.countersign.passkeys.beginLogin({ email: test.user.email })
    await test.countersign.passkeys.remove({ caller: test.caller, credentialId: test.passkey.id })
    const credential = test.virtual.get(begun.publicKey)
    const finishing = test.countersign.passkeys.finishLogin({ challengeId: begun.challengeId, credential })
    await expect(finishing).rejects.toThrow('Invalid passkey')
    await expect(signInByPasskey(test, test.virtual)).rejects.toThrow('Invalid passkey')
  })

  it('is refused for other users, and a second time', async () => {
    const test = await given()
    const { caller } = await signInNewUser(test)
    const credentialId = test.passkey.id
    await expect(test.countersign.passkeys.remove({ caller, credentialId })).rejects.toThrow('Passkey not found')
    await expect(test.countersign.passkeys.rename({ caller, credentialId, name: 'Mine' })).rejects.toThrow('Passkey not found')
    expect(await test.countersign.passkeys.listOfUser({ email: test.user.email })).toStrictEqual([test.passkey])
    await test.countersign.passkeys.remove({ caller: test.caller, credentialId })
    await expect(test.countersign.passkeys.remove({ caller: test.caller, credentialId })).rejects.toThrow('Passkey not found')
  })

  it('has the same effect by an admin as by the user', async () => {
    const test = await given()
    const { tokens } = await signInByPasskey(test, test.virtual)
    expect(await test.countersign.passkeys.revoke({ id: test.passkey.id })).toMatchObject({ id: test.passkey.id })
    await expect(test.countersign.auth.authenticate({ token: tokens.accessToken })).rejects.toThrow('Invalid or expired token')
    await expect(test.countersign.passkeys.revoke({ id: test.passkey.id })).rejects.toThrow('Passkey not found')
  })

  it('by an admin needs the email if several users have a passkey of this id', async () => {
    const test = await given()
    const { revoke, listOfUser } = test.countersign.passkeys
    const { id } = test.passkey
    const other = await signInNewUser(test)
    const stranger = await signInNewUser(test)
    await registerTestPasskey(test, other.caller, {
      virtual: createVirtualPasskey({ credentialId: Buffer.from(id, 'base64url') }),
    })
    await expect(revoke({ id })).rejects.toThrow(PasskeyOfSeveralUsers)
    await expect(revoke({ id, email: stranger.user.email })).rejects.toThrow('Passkey not found')
    await revoke({ id, email: other.user.email })
    expect(await listOfUser({ email: other.user.email })).toStrictEqual([])
    expect(await listOfUser({ email: test.user.email })).toStrictEqual([test.passkey])
  })
})

describe('renaming a passkey', () => {
  it('changes its name and nothing else', async () => {
    const test = await given()
    const renamed = await test.countersign.passkeys.rename({
      caller: test.caller,
      credentialId: test.passkey.id,
      name: 'Åsa’s key 2',
    })
    expect(renamed).toStrictEqual({ ...test.passkey, name: 'Åsa’s key 2' })
    expect(await test.countersign.passkeys.list({ caller: test.caller })).toStrictEqual([renamed])
  })
})
