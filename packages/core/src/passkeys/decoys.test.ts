import { describe, expect, it } from 'vitest'
import { parseKeyRing } from '../crypto/key-ring.ts'
import { aKeyRing, createTestCountersign } from '../testing/create-test-countersign.ts'
import { signInNewPasskeyUser } from '../testing/passkeys.ts'
import { createTestUser } from '../testing/sign-in.ts'
import { decoysOf } from './decoys.ts'

const emails = Array.from({ length: 400 }, (_, index) => `user-${index}@example.test`)

describe('decoys', () => {
  it('are always the same for one email, and no other’s', () => {
    const ring = aKeyRing()
    const all = emails.map((email) => decoysOf(ring, email))
    expect(emails.map((email) => decoysOf(ring, email))).toStrictEqual(all)
    const ids = all.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(decoysOf(aKeyRing(), 'user-0@example.test')).not.toStrictEqual(all[0])
  })

  it('look like passkeys of many kinds: mostly one, of the lengths and transports that there are', () => {
    const all = emails.map((email) => decoysOf(aKeyRing(), email))
    const single = all.filter((decoys) => decoys.length === 1).length
    expect(single).toBeGreaterThan(200)
    expect(single).toBeLessThan(400)
    const looks = all.flat().map(({ id, transports }) => `${Buffer.from(id, 'base64url').length} ${transports?.join()}`)
    expect([...new Set(looks)].sort()).toStrictEqual(
      ['16 hybrid,internal', '20 hybrid,internal', '32 internal', '48 nfc,usb', '64 usb'].sort(),
    )
  })

  it('stay when a key is put before the others', () => {
    const [old, fresh] = ['a', 'b'].map((kid) => `${kid}:${Buffer.from(aKeyRing().current.secret).toString('base64url')}`)
    const decoys = decoysOf(parseKeyRing(`${old}`), 'ada@example.test')
    expect(decoysOf(parseKeyRing(`${fresh},${old}`), 'ada@example.test')).toStrictEqual(decoys)
  })

  it('stand for an email that is unknown, disabled or without passkeys, however it is written', async () => {
    const test = createTestCountersign()
    const without = await createTestUser(test)
    const disabled = await signInNewPasskeyUser(test)
    await test.countersign.users.disable({ email: disabled.user.email })
    for (const email of ['unknown@example.test', without.email, disabled.user.email]) {
      for (const spelling of [email, email.toUpperCase(), email]) {
        const { publicKey } = await test.countersign.passkeys.beginLogin({ email: spelling })
        expect(publicKey.allowCredentials).toStrictEqual(decoysOf(test.encryptionKeys, email))
      }
    }
  })
})
