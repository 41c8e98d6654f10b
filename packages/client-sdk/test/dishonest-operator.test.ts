import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Output } from '@countersign/contract'
import { wireTransferDefinition, wireTransferPayload } from '@countersign/core/testing'
import canonicalize from 'canonicalize'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { PendingConfirmation } from '../src/identity/devices/device-signer.ts'
import { fileSigner } from '../src/node/index.ts'
import { aPayment, createDeviceClient, type DeviceClient } from '../src/testing/device-client.ts'
import { createTestSigner } from '../src/testing/test-signer.ts'

/** An operator who controls every answer of the service, and who wants a signature for another purpose than the one shown. */

interface Challenge {
  readonly challenge: string
  readonly nonce?: string | undefined
}

const mismatch = { code: 'CHALLENGE_MISMATCH', status: undefined }

let given: DeviceClient
let pending: PendingConfirmation
beforeEach(async () => {
  given = await createDeviceClient()
  await given.client.confirmations.request(aPayment)
  const { confirmations } = await given.phone.confirmations.pending()
  pending = confirmations[0] as PendingConfirmation
  given.sent.length = 0
})

/** Changes the data of the next answer of the service. */
const forgeNext = (change: (data: Record<string, unknown>) => object): void => {
  given.faults.push(async (request) => {
    const { data } = (await (await given.test.app.fetch(request)).json()) as { data: Record<string, unknown> }
    return Response.json({ data: change(data) })
  })
}

const anotherLogin = (): Promise<Output<'mobile.beginLogin'>> =>
  given.another().mobile.beginLogin({ deviceFingerprint: given.signer.deviceFingerprint })

const anotherRegistration = async (): Promise<Output<'devices.beginRegistration'>> => {
  const { deviceFingerprint, keyAlgorithm, publicKey } = createTestSigner()
  const announced = { deviceFingerprint, keyAlgorithm, publicKey: await publicKey() }
  return given.client.devices.beginRegistration({ ...announced, deviceName: 'Phone', deviceType: 'mobile' })
}

/** The challenges that serve another purpose than a login, and than a registration. */
const foreign: readonly (readonly [string, () => Promise<Challenge>])[] = [
  ['a confirmation', async () => pending],
  ['another login', anotherLogin],
  ['another registration', anotherRegistration],
]

const changes: readonly (readonly [string, (data: Record<string, unknown>) => object])[] = [
  ['no nonce', ({ nonce: _, ...rest }) => rest],
  ['a nonce that is null', (data) => ({ ...data, nonce: null })],
  ['a nonce that is no text', (data) => ({ ...data, nonce: { length: 88 } })],
  ['a nonce that is not base64', (data) => ({ ...data, nonce: '%'.repeat(88) })],
  ['a shorter nonce', (data) => ({ ...data, nonce: Buffer.alloc(63).toString('base64') })],
  ['another nonce', (data) => ({ ...data, nonce: Buffer.alloc(64).toString('base64') })],
  ['another challenge', (data) => ({ ...data, challenge: Buffer.alloc(64).toString('base64') })],
  ['another session', (data) => ({ ...data, sessionId: '00000000-0000-4000-8000-000000000000' })],
  ['another end', (data) => ({ ...data, expiresAt: '2026-01-05T10:00:00.000Z' })],
]

describe('a login', () => {
  const refused = async (): Promise<void> => {
    const { another, signer, sent } = given
    const signed = signer.purposes.length
    sent.length = 0
    await expect(another().mobile.login({ signer })).rejects.toMatchObject(mismatch)
    expect(signer.purposes).toHaveLength(signed)
    expect(sent).toEqual(['POST /api/v1/auth/mobile/challenge'])
  }

  it.each(foreign)('does not sign the challenge of %s', async (_, challengeOf) => {
    const { challenge, nonce } = await challengeOf()
    forgeNext((data) => ({ ...data, challenge, nonce }))
    await refused()
    forgeNext((data) => ({ ...data, challenge }))
    await refused()
  })

  it.each(changes)('does not sign a challenge with %s', async (_, change) => {
    forgeNext(change)
    await refused()
  })

  it('of another device is not signed', async () => {
    const { challenge, nonce, sessionId, expiresAt } = await given
      .another()
      .mobile.beginLogin({ deviceFingerprint: 'another device' })
    forgeNext(() => ({ challenge, nonce, sessionId, expiresAt }))
    await refused()
  })

  it('with a key in a file does not sign the challenge of a confirmation', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'countersign-operator-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    let signed = 0
    const inFile = await fileSigner(join(directory, 'device.json'))
    const signer = {
      ...inFile,
      sign: (...args: Parameters<typeof inFile.sign>) => {
        signed += 1
        return inFile.sign(...args)
      },
    }
    await given.client.devices.register({ signer, deviceName: 'Build server', deviceType: 'desktop' })
    expect(signed).toBe(1)
    const { challenge, nonce } = pending
    forgeNext((data) => ({ ...data, challenge, nonce }))
    await expect(given.another().mobile.login({ signer })).rejects.toMatchObject(mismatch)
    expect(signed).toBe(1)
    await given.another().mobile.login({ signer })
    expect(signed).toBe(2)
  })
})

describe('a registration', () => {
  const refused = async (): Promise<void> => {
    const { client, sent } = given
    const signer = createTestSigner()
    sent.length = 0
    await expect(client.devices.register({ signer, deviceName: 'Phone', deviceType: 'mobile' })).rejects.toMatchObject(mismatch)
    expect(signer.purposes).toEqual([])
    expect(sent).toEqual(['POST /api/v1/auth/devices/register/challenge'])
  }

  it.each(foreign)('does not sign the challenge of %s', async (_, challengeOf) => {
    const { challenge, nonce } = await challengeOf()
    forgeNext((data) => ({ ...data, challenge, nonce }))
    await refused()
    forgeNext((data) => ({ ...data, challenge }))
    await refused()
  })

  it.each(changes.filter(([name]) => name !== 'another session'))('does not sign a challenge with %s', async (_, change) => {
    forgeNext(change)
    await refused()
  })

  it('of another device id is not signed', async () => {
    forgeNext((data) => ({ ...data, deviceId: '00000000-0000-4000-8000-000000000000' }))
    await refused()
  })

  it('of another key is not signed', async () => {
    const other = await anotherRegistration()
    forgeNext(() => other)
    await refused()
  })
})

describe('an approval', () => {
  it.each(foreign.slice(1))('does not sign the challenge of %s', async (_, challengeOf) => {
    const { phone, signer, sent } = given
    const { challenge, nonce = '' } = await challengeOf()
    const signed = signer.purposes.length
    sent.length = 0
    for (const forged of [
      { ...pending, challenge, nonce },
      { ...pending, challenge },
    ]) {
      await expect(phone.confirmations.approve(forged, signer)).rejects.toMatchObject(mismatch)
    }
    expect(signer.purposes).toHaveLength(signed)
    expect(sent).toEqual([])
  })
})

describe('an approval of a registered action type', () => {
  const definitionText = JSON.stringify(wireTransferDefinition)
  const wire = { actionType: 'wire_transfer', actionPayload: wireTransferPayload } as never

  type Change = (pending: Registered, other: Registered) => object
  type Registered = PendingConfirmation & { readonly display: NonNullable<PendingConfirmation['display']> }

  /** Returns two pending transfers, the second to Eve. */
  const transfers = async (): Promise<readonly [Registered, Registered]> => {
    const { test, client, phone } = given
    await test.countersign.actionTypes.register({ type: 'wire_transfer', version: '1.0.0', definitionText })
    const { confirmationId } = await client.confirmations.request(wire)
    const toEve = { ...wireTransferPayload, to: { name: 'Eve' } }
    await client.confirmations.request({ actionType: 'wire_transfer', actionPayload: toEve } as never)
    const { confirmations } = await phone.confirmations.pending()
    const registered = confirmations.filter(({ actionTypeVersion }) => actionTypeVersion !== null) as Registered[]
    const own = registered.find((one) => one.confirmationId === confirmationId)
    const other = registered.find((one) => one.confirmationId !== confirmationId)
    if (own === undefined || other === undefined) throw new Error('the transfers are not pending')
    given.sent.length = 0
    return [own, other]
  }

  const withLine = ({ display }: Registered, change: object) => {
    const [first, ...lines] = display.en?.lines ?? []
    return { display: { ...display, en: { ...display.en, lines: [{ ...first, ...change }, ...lines] } } }
  }

  const changed: readonly (readonly [string, Change])[] = [
    ['another value', (pending) => withLine(pending, { value: '\u20681.5 EUR\u2069' })],
    ['another label', (pending) => withLine(pending, { label: 'Fee' })],
    ['a hidden character', (pending) => withLine(pending, { label: 'Amount\u200b' })],
    ['one line less', ({ display }) => ({ display: { ...display, en: { ...display.en, lines: display.en?.lines.slice(1) } } })],
    ['another title', ({ display }) => ({ display: { ...display, en: { ...display.en, title: 'Statement' } } })],
    ['a further member of its words', ({ display }) => ({ display: { ...display, en: { ...display.en, note: 'x' } } })],
    ['one language less', ({ display: { de: _, ...display } }) => ({ display })],
    ['one language more', ({ display }) => ({ display: { ...display, fr: { title: 'Rien', lines: [] } } })],
    ['languages that changed places', ({ display }) => ({ display: { en: display.de, de: display.en } })],
    ['no words', () => ({ display: null })],
    ['the words of another payload', (_, { display }) => ({ display })],
    ['another payload', (_, { actionPayload }) => ({ actionPayload })],
    ['another version of its type', () => ({ actionTypeVersion: '1.0.1' })],
    ['no version of its type', () => ({ actionTypeVersion: null })],
    ['the form of version 1', () => ({ statementVersion: 1, actionTypeVersion: null, display: null })],
    ['the number of version 1', () => ({ statementVersion: 1 })],
    ['the domain of version 1', () => ({ domain: 'countersign.confirmation.v1' })],
    ['the domain of several approvals', () => ({ domain: 'countersign.approval.v1' })],
    ['a type of the contract', () => ({ actionType: 'payment_approval' })],
  ]

  it('is signed as it was sent', async () => {
    const [transfer] = await transfers()
    expect(await given.phone.confirmations.approve(transfer, given.signer)).toMatchObject({ status: 'approved' })
  })

  it.each(changed)('is not signed with %s', async (_, change) => {
    const [transfer, other] = await transfers()
    const signed = given.signer.purposes.length
    const forged = { ...transfer, ...change(transfer, other) } as PendingConfirmation
    await expect(given.phone.confirmations.approve(forged, given.signer)).rejects.toMatchObject(mismatch)
    expect(given.signer.purposes).toHaveLength(signed)
    expect(given.sent).toEqual([])
  })
})

/** The operator computes the challenge of what it sends, so the challenge does fit. */
describe('words that a person could take for signed ones', () => {
  const words = { en: { title: 'Harmless', lines: [] } }
  const text = (statement: object): string => canonicalize(statement) ?? ''
  const refused = async (forged: object): Promise<void> => {
    const signed = given.signer.purposes.length
    const approval = given.phone.confirmations.approve({ ...pending, ...forged }, given.signer)
    await expect(approval).rejects.toMatchObject(mismatch)
    expect(given.signer.purposes).toHaveLength(signed)
  }
  const committed = (domain: string, members: object): object => {
    const { confirmationId, userId, actionType, actionPayload, expiresAt, nonce } = pending
    const statement = text({ confirmationId, userId, actionType, actionPayload, expiresAt, ...members })
    const hash = createHash('sha512').update(`${domain}\0`).update(Buffer.from(nonce, 'base64')).update(statement)
    return { domain, ...members, challenge: hash.digest('base64') }
  }

  it('are refused beside a statement of version 1, which does not have them', async () => {
    await refused({ display: words })
    await refused({ display: {} })
  })

  it('are refused for a type of the contract', async () => {
    await refused({
      ...committed('countersign.confirmation.v2', { actionTypeVersion: '1.0.0', display: words }),
      statementVersion: 2,
    })
  })

  it('are refused where they are missing', async () => {
    const actionType = 'wire_transfer'
    for (const display of [null, undefined]) {
      const forged = committed('countersign.confirmation.v2', { actionType, actionTypeVersion: '1.0.0', display })
      await refused({ ...forged, statementVersion: 2 })
    }
  })
})

describe('an approval of a request of another user', () => {
  /** Returns the confirmation of a request that Ada started, and that the person of this phone is asked to approve. */
  const asked = async (): Promise<PendingConfirmation> => {
    const { test, phone, sent, email } = given
    const permission = 'payment.approve'
    await test.countersign.actionPolicies.set({ actionType: aPayment.actionType, permission, count: 1 })
    await test.countersign.users.grant({ email, permissions: [permission] })
    const { id: userId } = await test.countersign.users.create({ email: 'ada.requester@example.com', name: 'Ada' })
    await test.countersign.approvalRequests.start({ ...aPayment, caller: { userId } })
    const { confirmations } = await phone.confirmations.pending()
    const ofRequest = confirmations.find(({ approvalId }) => approvalId !== undefined)
    if (ofRequest === undefined) throw new Error('nobody was asked')
    sent.length = 0
    return ofRequest
  }
  const withoutMembers = ({ approvalId: _, requestedBy: __, count: ___, ...rest }: PendingConfirmation) => rest
  const ofRequest = { approvalId: 'appr_1', requestedBy: 999, count: 2 }

  it('is signed as it was sent', async () => {
    expect(await given.phone.confirmations.approve(await asked(), given.signer)).toMatchObject({ status: 'approved' })
  })

  const forgeries: readonly (readonly [string, (shown: PendingConfirmation) => object])[] = [
    ['another count', (shown) => ({ ...shown, count: 2 })],
    ['a count as text', (shown) => ({ ...shown, count: '1' })],
    ['another requester', (shown) => ({ ...shown, requestedBy: 999 })],
    ['another request', (shown) => ({ ...shown, approvalId: 'appr_1' })],
    ['no count', ({ count: _, ...shown }) => shown],
    ['no requester', ({ requestedBy: _, ...shown }) => shown],
    ['no request', ({ approvalId: _, ...shown }) => shown],
    ['another amount', (shown) => ({ ...shown, actionPayload: { ...aPayment.actionPayload, amount: 1 } })],
    ['the form of an own confirmation', (shown) => ({ ...withoutMembers(shown), domain: 'countersign.confirmation.v1' })],
    ['the form of an older service', ({ domain: _, ...shown }) => withoutMembers(shown as PendingConfirmation)],
    ['the domain of an own confirmation', (shown) => ({ ...shown, domain: 'countersign.confirmation.v1' })],
  ]
  it.each(forgeries)('is not signed with %s', async (_, forge) => {
    const shown = await asked()
    const signed = given.signer.purposes.length
    const approval = given.phone.confirmations.approve(forge(shown) as PendingConfirmation, given.signer)
    await expect(approval).rejects.toMatchObject(mismatch)
    expect(given.signer.purposes).toHaveLength(signed)
    expect(given.sent).toEqual([])
  })

  const disguises: readonly (readonly [string, object])[] = [
    ['a request in its own domain', { ...ofRequest, domain: 'countersign.approval.v1' }],
    ['a request beside the statement of one person', ofRequest],
    ['a count beside the statement of one person', { count: 2 }],
    ['a requester beside the statement of one person', { requestedBy: 999 }],
  ]
  it.each(disguises)('is not what an own confirmation becomes by %s', async (_, members) => {
    const signed = given.signer.purposes.length
    await expect(given.phone.confirmations.approve({ ...pending, ...members }, given.signer)).rejects.toMatchObject(mismatch)
    expect(given.signer.purposes).toHaveLength(signed)
  })

  it('is not signed where the requester is the person of this phone, although the challenge fits', async () => {
    const { confirmationId, userId, actionType, actionPayload, expiresAt, nonce } = pending
    const members = { ...ofRequest, requestedBy: userId }
    const text = canonicalize({ confirmationId, userId, actionType, actionPayload, expiresAt, ...members }) ?? ''
    const hash = createHash('sha512').update('countersign.approval.v1\0').update(Buffer.from(nonce, 'base64')).update(text)
    const forged = { ...pending, ...members, domain: 'countersign.approval.v1', challenge: hash.digest('base64') }
    await expect(given.phone.confirmations.approve(forged, given.signer)).rejects.toMatchObject(mismatch)
  })
})
