import { generateDeviceKeyPair } from '@countersign/core/testing'
import { describe, expect, it, vi } from 'vitest'
import { type SignedIn, signIn } from '../../src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../../src/testing/test-app.ts'
import {
  type Begun,
  beginLogin,
  beginRegistration,
  type Finish,
  type LoginCeremony,
  type RegistrationCeremony,
  responseOf,
  withResponse,
} from '../../src/testing/webauthn/ceremony.ts'

/* Changes one bit in every byte that an authenticator signs. The bit differs from byte to byte. */

vi.setConfig({ testTimeout: 120_000 })

const anApp = () => createTestApp({ options: { rateLimits: 'off', passkeysPerUser: 10_000 } })

const bytesOf = (answer: Finish, member: string): Buffer => Buffer.from(String(responseOf(answer)[member]), 'base64url')

const withBit = (answer: Finish, member: string, at: number): Finish => {
  const bytes = bytesOf(answer, member)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << ((at * 5) % 8))
  return withResponse(answer, { [member]: bytes.toString('base64url') })
}

interface Flipped {
  /** The number of tested bytes. */
  readonly bytes: number
  /** The positions of bytes whose change was accepted. */
  readonly accepted: readonly number[]
}

/** The possible refusals of a changed bit: a failed check, or a broken structure. */
const expectRefused = (body: unknown, member: string, place: string): void => {
  const { message, statusCode } = body as { readonly message: string; readonly statusCode: number }
  const isMalformed = statusCode === 400 && member !== 'signature' && message.startsWith(`credential.response.${member}: `)
  if (!isMalformed) expect(body, place).toEqual({ message: 'Invalid passkey', statusCode: 401, code: 'invalid_passkey' })
}

/** Changes a bit in each byte of a member, each in a new ceremony. Every response must be a success or a refusal. */
const flipEachByte = async (begin: () => Promise<Begun<unknown, unknown>>, member: string): Promise<Flipped> => {
  const accepted: number[] = []
  let at = 0
  for (;;) {
    const { answer, finish } = await begin()
    const good = answer()
    if (at >= bytesOf(good, member).length) return { bytes: at, accepted }
    const { status, body } = await finish(withBit(good, member, at))
    if (status === 200) accepted.push(at)
    else expectRefused(body, member, `byte ${at} of ${member}`)
    at += 1
  }
}

const registrations = (test: TestApp, owner: SignedIn, ceremony: RegistrationCeremony) => (): Promise<Begun<unknown, unknown>> =>
  beginRegistration(test, ceremony, owner)

describe('one changed bit in any byte of a registration', () => {
  it.each(['clientDataJSON', 'attestationObject'])('is refused in data that the passkey signs: %s', async (member) => {
    const test = await anApp()
    const owner = await signIn(test)
    const { bytes, accepted } = await flipEachByte(registrations(test, owner, { changes: { attestation: 'packed' } }), member)
    expect(accepted).toEqual([])
    expect(bytes).toBeGreaterThan(150)
    expect((await test.ask('passkeys.list', {}, { token: owner.token })).credentials).toEqual([])
  })

  it('is refused in unsigned data, except in unchecked parts: flags, counter and model', async () => {
    const test = await anApp()
    const owner = await signIn(test)
    const registration = await beginRegistration(test, {}, owner)
    const object = bytesOf(registration.answer(), 'attestationObject')
    // The id follows 37 bytes of authenticator data, 16 of the model (AAGUID) and 2 of the length of the id. The flags and the
    // counter (5 bytes) and the model may have any value, and without attestation no signature covers them.
    const start = object.indexOf(Buffer.from(registration.passkey.id, 'base64url')) - 55
    const { bytes, accepted } = await flipEachByte(registrations(test, owner, {}), 'attestationObject')
    const unchecked = [...Array(5 + 16).keys()].map((index) => start + 32 + index)
    expect(accepted.filter((at) => !unchecked.includes(at))).toEqual([])
    expect(bytes).toBe(object.length)
  })

  it('is refused in unsigned JSON, except when it renames a member without meaning', async () => {
    const test = await anApp()
    const owner = await signIn(test)
    const json = bytesOf((await beginRegistration(test, {}, owner)).answer(), 'clientDataJSON').toString()
    const { bytes, accepted } = await flipEachByte(registrations(test, owner, {}), 'clientDataJSON')
    const start = json.indexOf('crossOrigin')
    expect(accepted.filter((at) => at < start || at >= start + 'crossOrigin'.length)).toEqual([])
    expect(bytes).toBe(json.length)
  })
})

describe.each(['ES256', 'RS256'] as const)('one changed bit in any byte of a login with %s', (algorithm) => {
  it.each(['authenticatorData', 'clientDataJSON', 'signature'])('is refused: %s', async (member) => {
    const test = await anApp()
    const owner = await signIn(test)
    const ceremony: LoginCeremony = { passkey: { algorithm, keyPair: generateDeviceKeyPair(algorithm) } }
    const first = await beginLogin(test, ceremony, owner)
    const before = await first.state()
    const begin = async (): Promise<Begun<unknown, unknown>> => {
      const { challengeId, publicKey } = await test.ask('passkeys.beginLogin', {})
      const answer = () => ({ challengeId, credential: first.passkey.get(publicKey) })
      return { ...first, challengeId, options: publicKey, answer }
    }
    const { bytes, accepted } = await flipEachByte(begin, member)
    expect(accepted).toEqual([])
    // The shortest authenticator data, without optional parts.
    expect(bytes).toBeGreaterThanOrEqual(37)
    expect(await first.state()).toStrictEqual(before)
    expect((await first.finish(first.answer())).status).toBe(200)
  })
})
