import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { seconds } from '../../shared/clock.ts'
import { registerTestPasskey } from '../../testing/passkeys.ts'
import { anAnnouncement, registerTestDevice, signInNewUser } from '../../testing/sign-in.ts'
import { createTestDevice } from '../../testing/test-device.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'
import type { Caller } from '../authentication/caller.ts'

const signer = createTestDevice('ES256')
const options = { devicesPerUser: 2, passkeysPerUser: 1 }

let test: TestCountersign
let caller: Caller
beforeEach(async () => {
  test = await createTestCountersign({ options })
  caller = (await signInNewUser(test)).caller
})

const begin = (announced: Partial<ReturnType<typeof anAnnouncement>> & { enrolmentCode?: string } = {}) =>
  test.countersign.devices.beginRegistration({ caller, ...anAnnouncement(signer), ...announced })
const finish = ({ id, challenge }: Awaited<ReturnType<typeof begin>>, by = signer) =>
  test.countersign.devices.finishRegistration({ caller, sessionId: id, signedChallenge: by.sign(challenge) })
const lines = () => test.logger.entries.filter(({ event }) => event.endsWith('_refused'))
const line = (reason: string, kind = 'device') => ({
  level: 'info',
  event: 'registration_refused',
  fields: { reason, kind, userId: caller.userId },
})

describe('the log has the reason and the user for a refused registration of a device', () => {
  it('with a key of another curve', async () => {
    const { publicKey } = createTestDevice('RS256')
    await expect(begin({ publicKey })).rejects.toThrow('publicKey')
    expect(lines()).toStrictEqual([line('key')])
  })

  it('with a wrong signature, and then with its used challenge', async () => {
    const challenge = await begin()
    await expect(finish(challenge, createTestDevice('ES256'))).rejects.toThrow()
    await expect(finish(challenge)).rejects.toThrow()
    expect(lines()).toStrictEqual([line('signature'), line('challenge')])
  })

  it('after the challenge expired', async () => {
    const challenge = await begin()
    test.clock.advance(seconds(120))
    await expect(finish(challenge)).rejects.toThrow()
    expect(lines()).toStrictEqual([line('challenge')])
  })

  it('with the fingerprint of an active device, when it begins and when it ends', async () => {
    const deviceFingerprint = 'fingerprint-1'
    const [first, second] = [await begin({ deviceFingerprint }), await begin({ deviceFingerprint })]
    await finish(first)
    await expect(finish(second)).rejects.toThrow()
    await expect(begin({ deviceFingerprint })).rejects.toThrow()
    expect(lines()).toStrictEqual([line('fingerprint_taken'), line('fingerprint_taken')])
  })

  it('past the largest number of devices, when it begins and when it ends', async () => {
    const late = await begin()
    await registerTestDevice(test, caller)
    await registerTestDevice(test, caller)
    await expect(finish(late)).rejects.toThrow()
    await expect(begin()).rejects.toThrow()
    expect(lines()).toStrictEqual([line('too_many'), line('too_many')])
  })

  it('if the session of the user ended meanwhile', async () => {
    const challenge = await begin()
    await test.countersign.sessions.endAll({ user: { id: caller.userId } })
    await expect(finish(challenge)).rejects.toThrow()
    expect(lines()).toStrictEqual([line('session_ended')])
  })
})

it('the log has the reason for a refused registration of a passkey, also for reasons other than the checks of WebAuthn', async () => {
  const virtual = createVirtualPasskey()
  const { passkeys } = test.countersign
  const [first, second] = [await passkeys.beginRegistration({ caller }), await passkeys.beginRegistration({ caller })]
  const finishPasskey = ({ challengeId, publicKey }: typeof first, of = virtual) =>
    passkeys.finishRegistration({ caller, challengeId, credential: of.create(publicKey) })
  await finishPasskey(first)
  await expect(finishPasskey(first)).rejects.toThrow()
  await expect(finishPasskey(second, createVirtualPasskey())).rejects.toThrow()
  await expect(registerTestPasskey(test, caller)).rejects.toThrow()
  expect(lines()).toStrictEqual([line('challenge', 'passkey'), line('too_many', 'passkey'), line('too_many', 'passkey')])
})

it('the log says that an enrolment code was used or replaced between the beginning and the end of a registration', async () => {
  const { email } = caller
  await registerTestDevice(test, caller)
  const { code: enrolmentCode } = await test.countersign.users.enrol({ email })
  const challenge = await begin({ enrolmentCode })
  await test.countersign.users.enrol({ email })
  expect(await finish(challenge)).toMatchObject({ id: challenge.subject.deviceId })
  const fields = { reason: 'used', userId: caller.userId }
  expect(lines()).toStrictEqual([{ level: 'info', event: 'one_time_code_refused', fields }])
})
