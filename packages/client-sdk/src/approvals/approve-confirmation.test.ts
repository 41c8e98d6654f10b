import { describe, expect, it } from 'vitest'
import type { PendingConfirmation } from '../identity/devices/device-signer.ts'
import { aPayment, createDeviceClient } from '../testing/device-client.ts'

const given = async () => {
  const all = await createDeviceClient()
  const requested = await all.client.confirmations.request(aPayment)
  const { confirmations } = await all.phone.confirmations.pending()
  return { ...all, requested, pending: confirmations[0] as PendingConfirmation }
}

describe('approving', () => {
  it('signs the action shown, once', async () => {
    const { phone, pending, signer, requested } = await given()
    expect(await phone.confirmations.approve(pending, signer)).toEqual({
      success: true,
      confirmationId: requested.confirmationId,
      status: 'approved',
    })
    expect(signer.purposes.at(-1)).toEqual({ action: 'approve', confirmation: pending })
    expect(await requested.settled()).toMatchObject({ status: 'approved', actionPayload: aPayment.actionPayload })
    await expect(phone.confirmations.approve(pending, signer)).rejects.toMatchObject({
      status: 410,
      code: 'GONE',
      message: 'Action confirmation token already used',
    })
  })

  it('needs a session of the device, and says so before the signer prompts', async () => {
    const { client, another, pending, signer } = await given()
    const signed = signer.purposes.length
    for (const one of [client, another()]) {
      await expect(one.confirmations.approve(pending, signer)).rejects.toMatchObject({ code: 'NO_DEVICE_SESSION' })
    }
    expect(signer.purposes).toHaveLength(signed)
  })

  it('works with a token that the caller passes', async () => {
    const { another, pending, signer } = await given()
    const keeper = another()
    const { tokens } = await keeper.mobile.login({ signer })
    const approval = another().confirmations.approve(pending, signer, { token: tokens.accessToken })
    expect(await approval).toMatchObject({ status: 'approved' })
  })

  it('rejects with the error of the signer', async () => {
    const { phone, pending, signer, requested } = await given()
    const declining = { ...signer, sign: () => Promise.reject(new Error('cancelled')) }
    await expect(phone.confirmations.approve(pending, declining)).rejects.toThrow('cancelled')
    expect(await phone.confirmations.status(requested)).toMatchObject({ status: 'pending' })
  })

  it('uses the given SHA-512 on a platform without WebCrypto', async () => {
    const { another, pending, signer } = await given()
    let digests = 0
    const native = another({
      sha512: (bytes) => {
        digests += 1
        return crypto.subtle.digest('SHA-512', bytes)
      },
    })
    await native.mobile.login({ signer })
    expect(await native.confirmations.approve(pending, signer)).toMatchObject({ status: 'approved' })
    // One for the login, and one for the approval.
    expect(digests).toBe(2)
  })
})

describe('approving with a number', () => {
  it('needs the number that the page shows', async () => {
    const { client, phone, signer } = await createDeviceClient()
    const requested = await client.confirmations.request({ ...aPayment, numberMatching: true })
    expect(requested.matchNumber).toMatch(/^[0-9]{2}$/)
    const { confirmations } = await phone.confirmations.pending()
    const pending = confirmations[0] as PendingConfirmation
    expect(pending.numberMatching).toBe(true)
    await expect(phone.confirmations.approve(pending, signer)).rejects.toMatchObject({ status: 400 })
    const matchNumber = requested.matchNumber ?? ''
    const wrong = matchNumber === '00' ? '01' : '00'
    await expect(phone.confirmations.approve(pending, signer, { matchNumber: wrong })).rejects.toMatchObject({
      status: 401,
      message: 'Wrong number',
    })
    expect(await phone.confirmations.approve(pending, signer, { matchNumber })).toMatchObject({ status: 'approved' })
  })
})

describe('rejecting', () => {
  it('with `notMe` ends the session that asked', async () => {
    const { client, phone, pending } = await given()
    await phone.confirmations.reject(pending, undefined, { notMe: true })
    expect(await phone.confirmations.status(pending)).toMatchObject({ status: 'rejected' })
    await expect(client.devices.list()).rejects.toMatchObject({ status: 401 })
  })

  it('accepts an id or a listed confirmation, and a reason', async () => {
    const { client, phone, pending, requested } = await given()
    expect(await phone.confirmations.reject(pending, 'Not mine')).toMatchObject({ status: 'rejected' })
    expect(await requested.settled()).toMatchObject({ status: 'rejected', reason: 'Not mine' })
    const { confirmationId } = await client.confirmations.initiate(aPayment)
    expect(await client.confirmations.reject(confirmationId)).toMatchObject({ status: 'rejected' })
  })
})
