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
    await client.confirmations.request({ actionType: 'wire_transfer', actionPayload: toEve })
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
    ['a built-in type', () => ({ actionType: 'payment_approval' })],
  ]

  it('is signed if the service sends it unchanged', async () => {
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

/** The operator computes the challenge from the statement that it sends, so the two fit each other. */
const committed = (domain: string, statement: object): { readonly statement: never; readonly challenge: string } => {
  const hash = createHash('sha512').update(`${domain}\0`).update(Buffer.from(pending.nonce, 'base64'))
  return { statement: statement as never, challenge: hash.update(canonicalize(statement) ?? '').digest('base64') }
}

describe('a statement of the operator’s own', () => {
  const single = 'countersign.confirmation.v1'
  const approval = { id: 'appr_1', policy: { version: 1, band: 0, digest: 'A' }, count: 2 }
  const refused = async (forged: object): Promise<void> => {
    const signed = given.signer.purposes.length
    const approving = given.phone.confirmations.approve({ ...pending, ...forged }, given.signer)
    await expect(approving).rejects.toMatchObject(mismatch)
    expect(given.signer.purposes).toHaveLength(signed)
  }

  it('is not signed with other words than the ones shown', async () => {
    const display = { en: { direction: 'ltr', title: 'Harmless', lines: [] } }
    await refused({ display })
    await refused(committed(single, { ...pending.statement, display }))
  })

  it('is not signed with another action or time than the ones shown', async () => {
    const other = {
      actionType: 'purchase_order',
      actionPayload: {},
      confirmationId: 'conf_1',
      expiresAt: '2030-01-01T00:00:00.000Z',
    }
    for (const [name, value] of Object.entries(other)) {
      await refused(committed(single, { ...pending.statement, [name]: value }))
    }
  })

  it('is not signed with one member more or less', async () => {
    const { context: _, ...less } = pending.statement
    await refused(committed(single, less))
    await refused(committed(single, { ...pending.statement, more: null }))
  })

  it('is not signed if it asks another person', async () => {
    await refused(committed(single, { ...pending.statement, subject: { id: 999, externalId: null } }))
  })

  it('is not signed as a vote of the person who asked', async () => {
    await refused(committed('countersign.approval.v1', { ...pending.statement, approval }))
  })

  it('is not signed if the confirmation of one person has the domain of a vote, nor the other way round', async () => {
    await refused(committed('countersign.approval.v1', pending.statement))
    const requester = { kind: 'user', id: 999, externalId: null, name: 'Eve' }
    await refused(committed(single, { ...pending.statement, requester, approval }))
  })
})

describe('a vote for a request of another user', () => {
  /** Returns the confirmation of a request that Ada started, and that the person of this phone is asked to approve. */
  const asked = async (): Promise<PendingConfirmation> => {
    const { test, phone, sent, email } = given
    const permission = 'payment.approve'
    await test.countersign.actionPolicies.set({ actionType: aPayment.actionType, permission, count: 1 })
    await test.countersign.users.grant({ email, permissions: [permission] })
    const { id: userId } = await test.countersign.users.create({ email: 'ada.requester@example.com', name: 'Ada' })
    await test.countersign.approvalRequests.start({ ...aPayment, caller: { userId } })
    const { confirmations } = await phone.confirmations.pending()
    const ofRequest = confirmations.find(({ statement }) => statement.approval !== undefined)
    if (ofRequest === undefined) throw new Error('nobody was asked')
    sent.length = 0
    return ofRequest
  }

  it('is signed if the service sends it unchanged', async () => {
    expect(await given.phone.confirmations.approve(await asked(), given.signer)).toMatchObject({ status: 'approved' })
  })
})
