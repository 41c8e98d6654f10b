import { createHash, verify } from 'node:crypto'
import { keyAlgorithms } from '@countersign/contract'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, expect, it } from 'vitest'
import { anAnnouncement, type SignedIn, signInNewUser } from '../../testing/sign-in.ts'
import { createTestDevice, type SignOptions } from '../../testing/test-device.ts'
import { deviceThumbprint } from '../devices/device-signature.ts'
import { openRegistration } from '../devices/sealed-registration.ts'
import type { RegistrationEvidence } from './device.ts'

let test: TestCountersign
let ada: SignedIn
beforeEach(async () => {
  test = await createTestCountersign()
  ada = await signInNewUser(test)
})

const register = async (signer = createTestDevice('ES256'), options: SignOptions = {}) => {
  const { caller } = ada
  const begun = await test.countersign.devices.beginRegistration({ caller, ...anAnnouncement(signer) })
  test.clock.advance(1000)
  const signedChallenge = signer.sign(begun.challenge, options)
  const device = await test.countersign.devices.finishRegistration({ caller, sessionId: begun.id, signedChallenge })
  return { begun, device, signedChallenge }
}

const evidenceOf = async (deviceId: string): Promise<RegistrationEvidence> => {
  const evidence = await test.storage.devices.evidenceOf(ada.user.id, deviceId)
  if (evidence === undefined) throw new Error('the evidence is stored')
  return evidence
}

it.each(keyAlgorithms.flatMap((algorithm) => (['text', 'bytes'] as const).map((over) => [algorithm, over] as const)))(
  'a registration with %s keeps the signature over the %s, and what it commits to',
  async (algorithm, over) => {
    const signer = createTestDevice(algorithm, { form: 'p1363' })
    const { begun, device, signedChallenge } = await register(signer, { over, encoding: 'base64url' })
    const evidence = await evidenceOf(device.id)
    expect(evidence).toMatchObject({
      challenge: begun.challenge,
      algorithm,
      over,
      signature: signedChallenge,
      publicKey: device.publicKey,
      keyThumbprint: deviceThumbprint(device),
      registeredAt: test.clock.now(),
    })
    const opened = openRegistration(test, evidence)
    expect(opened).toMatchObject({ nonce: begun.nonce, signature: signedChallenge, over, algorithm })
    // Anyone can check the evidence by hand: the text and the nonce give the challenge, and the key signed the challenge.
    const hashed = Buffer.concat([
      Buffer.from('countersign.device-registration.v1\0'),
      Buffer.from(opened.nonce, 'base64'),
      Buffer.from(opened.text),
    ])
    expect(createHash('sha512').update(hashed).digest('base64')).toBe(opened.challenge)
    expect(JSON.parse(opened.text)).toMatchObject({
      deviceId: device.id,
      userId: ada.user.id,
      keyThumbprint: evidence.keyThumbprint,
    })
    if (algorithm !== 'ES256') return
    const signed = Buffer.from(opened.challenge, over === 'text' ? 'utf8' : 'base64')
    const key = { key: evidence.publicKey, dsaEncoding: 'ieee-p1363' } as const
    expect(verify('sha256', signed, key, Buffer.from(evidence.signature, 'base64url'))).toBe(true)
  },
)

it('the nonce and the statement are stored encrypted, bound to their row', async () => {
  const { begun, device } = await register()
  const other = await register()
  const evidence = await evidenceOf(device.id)
  const { text } = openRegistration(test, evidence)
  expect(JSON.stringify(evidence)).not.toContain(begun.nonce)
  expect(JSON.stringify(evidence)).not.toContain(JSON.stringify(text).slice(1, -1))
  const moved = await evidenceOf(other.device.id)
  for (const field of ['nonce', 'text'] as const) {
    expect(() => openRegistration(test, { ...evidence, [field]: moved[field] })).toThrow('moved or changed')
  }
})

it('the evidence stays if the device is removed', async () => {
  const { device } = await register()
  const evidence = await evidenceOf(device.id)
  await test.countersign.devices.remove({ caller: ada.caller, deviceId: device.id })
  expect(await evidenceOf(device.id)).toStrictEqual(evidence)
})

it('a refused registration leaves no evidence', async () => {
  const signer = createTestDevice('ES256')
  const { caller } = ada
  const begun = await test.countersign.devices.beginRegistration({ caller, ...anAnnouncement(signer, 'one') })
  await register(signer)
  const again = await test.countersign.devices.beginRegistration({ caller, ...anAnnouncement(signer, 'two') })
  const finish = (sessionId: string, signedChallenge: string) =>
    test.countersign.devices.finishRegistration({ caller, sessionId, signedChallenge })
  await expect(finish(begun.id, createTestDevice('ES256').sign(begun.challenge))).rejects.toThrow()
  await test.countersign.auth.logout({ caller, refreshToken: ada.tokens.refreshToken })
  await expect(finish(again.id, signer.sign(again.challenge))).rejects.toThrow()
  for (const { subject } of [begun, again]) {
    expect(await test.storage.devices.evidenceOf(ada.user.id, subject.deviceId)).toBeUndefined()
  }
})
