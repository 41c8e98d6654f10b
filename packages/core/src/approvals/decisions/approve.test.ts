import { keyAlgorithms } from '@countersign/contract'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { InsufficientTrustLevel } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { OtherDevice } from '../../identity/devices/errors.ts'
import { seconds } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { type DeviceUser, registerTestDevice, signInByDevice, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { createTestDevice } from '../../testing/test-device.ts'
import type { InitiatedConfirmation } from '../confirmations/build-confirmation.ts'
import {
  ConfirmationExpired,
  ConfirmationNotFound,
  ConfirmationUsed,
  WrongConfirmationSignature,
} from '../confirmations/errors.ts'

let test: TestCountersign
let user: DeviceUser
let confirmation: InitiatedConfirmation
beforeEach(async () => {
  test = await createTestCountersign()
  user = await signInNewDeviceUser(test)
  confirmation = await initiatePayment(test, user.web.caller)
})

type ApproveInput = Parameters<TestCountersign['countersign']['confirmations']['approve']>[0]
/** Verifies as the user's device would, with these changes. */
const verify = (changes: Partial<ApproveInput> = {}) =>
  test.countersign.confirmations.approve({
    caller: user.mobile.caller,
    confirmationId: confirmation.id,
    deviceId: user.device.id,
    signedChallenge: user.signer.sign(confirmation.challenge),
    ...changes,
  })
const wrongSignature = () => createTestDevice('ES256').sign(confirmation.challenge)
const status = async () =>
  (await test.countersign.confirmations.status({ caller: user.web.caller, confirmationId: confirmation.id })).status

describe('approving a confirmation', () => {
  it.each(keyAlgorithms)('accepts the signature of the user’s device with %s', async (algorithm) => {
    user = await signInNewDeviceUser(test, { algorithm })
    confirmation = await initiatePayment(test, user.web.caller)
    await expect(verify()).resolves.toBeUndefined()
    expect(await status()).toBe('approved')
  })

  it('takes the members of a passkey that are undefined as absent', async () => {
    const absent = { credentialId: undefined, authenticatorData: undefined, clientDataJSON: undefined, signature: undefined }
    await expect(verify(absent as Partial<ApproveInput>)).resolves.toBeUndefined()
  })

  it('records the device that approved, and the time of its last use', async () => {
    test.clock.advance(seconds(5))
    await verify()
    expect(await test.storage.confirmations.byId(confirmation.id)).toMatchObject({ deviceId: user.device.id })
    expect(await test.countersign.devices.list({ caller: user.web.caller })).toMatchObject([{ lastUsedAt: test.clock.now() }])
  })

  it.each([
    [-1, undefined],
    [0, ConfirmationExpired],
    [1, ConfirmationExpired],
  ])('is possible before `expiresAt` only: tried %i ms after it', async (offset, refusal) => {
    test.clock.set(confirmation.expiresAt + offset)
    if (refusal === undefined) await expect(verify()).resolves.toBeUndefined()
    else await expect(verify()).rejects.toStrictEqual(new refusal())
    expect(await status()).toBe(refusal === undefined ? 'approved' : 'expired')
  })

  it('is refused the second time', async () => {
    await verify()
    await expect(verify()).rejects.toStrictEqual(new ConfirmationUsed())
    test.clock.set(confirmation.expiresAt + 1)
    await expect(verify()).rejects.toStrictEqual(new ConfirmationUsed())
    expect(await status()).toBe('approved')
  })

  it('is refused after a rejection', async () => {
    await test.countersign.confirmations.reject({ caller: user.web.caller, confirmationId: confirmation.id })
    await expect(verify()).rejects.toStrictEqual(new ConfirmationUsed())
    expect(await status()).toBe('rejected')
  })
})

describe('approving is refused', () => {
  it('to a session opened by password, even with a good signature', async () => {
    await expect(verify({ caller: user.web.caller })).rejects.toStrictEqual(new InsufficientTrustLevel())
    expect(await status()).toBe('pending')
  })

  it('to a device that is not the device of the access token', async () => {
    const other = await registerTestDevice(test, user.web.caller)
    const { caller } = await signInByDevice(test, other)
    await expect(verify({ deviceId: other.device.id })).rejects.toStrictEqual(new OtherDevice())
    await expect(verify({ caller })).rejects.toStrictEqual(new OtherDevice())
    expect(await status()).toBe('pending')
  })

  it('with the signature of another device of the same user', async () => {
    const other = await registerTestDevice(test, user.web.caller)
    const signedChallenge = other.signer.sign(confirmation.challenge)
    await expect(verify({ signedChallenge })).rejects.toStrictEqual(new WrongConfirmationSignature())
  })

  it('with the signature of another confirmation or of a login', async () => {
    const other = await initiatePayment(test, user.web.caller)
    const login = await test.countersign.mobile.beginLogin({ deviceFingerprint: user.device.deviceFingerprint })
    for (const { challenge } of [other, login]) {
      await expect(verify({ signedChallenge: user.signer.sign(challenge) })).rejects.toThrow(WrongConfirmationSignature)
    }
  })

  it('to another user, as if there were no such confirmation', async () => {
    const stranger = await signInNewDeviceUser(test)
    const asStranger = { caller: stranger.mobile.caller, deviceId: stranger.device.id }
    const signedChallenge = stranger.signer.sign(confirmation.challenge)
    await expect(verify({ ...asStranger, signedChallenge })).rejects.toStrictEqual(new ConfirmationNotFound())
    await expect(verify({ ...asStranger, signedChallenge, confirmationId: 'conf_x' })).rejects.toStrictEqual(
      new ConfirmationNotFound(),
    )
    expect(await test.storage.confirmations.byId(confirmation.id)).toMatchObject({ wrongSignatures: 0 })
  })

  it('to a device that was removed', async () => {
    await test.countersign.devices.remove({ caller: user.web.caller, deviceId: user.device.id })
    await expect(verify()).rejects.toStrictEqual(new InvalidAccessToken())
    expect(await status()).toBe('pending')
  })

  it('to a device that is removed during the request', async () => {
    const { storage } = test
    const removing: typeof storage = {
      ...storage,
      confirmations: {
        ...storage.confirmations,
        approve: async (approval) => {
          await storage.devices.remove(user.user.id, user.device.id, test.clock.now())
          return storage.confirmations.approve(approval)
        },
      },
    }
    const elsewhere = await createTestCountersign({ ...test, storage: removing })
    const verifying = elsewhere.countersign.confirmations.approve({
      caller: user.mobile.caller,
      confirmationId: confirmation.id,
      deviceId: user.device.id,
      signedChallenge: user.signer.sign(confirmation.challenge),
    })
    await expect(verifying).rejects.toStrictEqual(new InvalidAccessToken())
    expect(await status()).toBe('pending')
  })
})

describe('wrong signatures', () => {
  it('reject the confirmation for good at the fifth', async () => {
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await status()).toBe('pending')
      await expect(verify({ signedChallenge: wrongSignature() })).rejects.toStrictEqual(new WrongConfirmationSignature())
    }
    expect(await status()).toBe('rejected')
    await expect(verify()).rejects.toStrictEqual(new ConfirmationUsed())
  })

  it('leave the confirmation pending until the fourth', async () => {
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await expect(verify({ signedChallenge: wrongSignature() })).rejects.toThrow(WrongConfirmationSignature)
    }
    await expect(verify()).resolves.toBeUndefined()
  })

  it('are not counted if the text does not have the form of a signature', async () => {
    for (const signedChallenge of ['', 'A', 'AA+_', 'AB', '!!!!']) {
      await expect(verify({ signedChallenge })).rejects.toStrictEqual(
        new Invalid({ signedChallenge: 'must be a signature in base64 or base64url' }),
      )
    }
    expect(await test.storage.confirmations.byId(confirmation.id)).toMatchObject({ wrongSignatures: 0 })
  })
})
