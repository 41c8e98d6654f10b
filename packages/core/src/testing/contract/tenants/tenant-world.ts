import { randomUUID } from 'node:crypto'
import { createCountersign } from '../../../countersign.ts'
import type { Caller } from '../../../identity/authentication/caller.ts'
import type { CallingService } from '../../../identity/authentication/calling-service.ts'
import type { Device } from '../../../identity/records/device.ts'
import { seconds } from '../../../shared/clock.ts'
import type { FullStorage } from '../../../storage.ts'
import { drainableBackground } from '../../drainable-background.ts'
import { fakeClock } from '../../fake-clock.ts'
import { recordingLogger } from '../../recording-logger.ts'
import { recordingPush } from '../../recording-push.ts'
import { createTestDevice, type TestDevice } from '../../test-device.ts'
import { aKeyRing, aReceiptKeyRing, cheapHasher } from '../../test-keys.ts'
import { givenDevice, givenSession, givenUser } from '../given.ts'

/** A permission as the test knows it. Its text, with `@`, is the matter of the code under test. */
interface Held {
  readonly name: string
  readonly tenant: string | null
}

/** A person with a trusted device. The permissions of a person change in every history. */
export interface Person {
  readonly id: number
  readonly email: string
  readonly caller: Caller
  readonly device: Device
  readonly signer: TestDevice
  held: readonly Held[]
}

/** A tenant that nobody uses. Every refusal is compared with the one for this tenant. */
export const unknownTenant = 'nobodys'
export const tenants: readonly string[] = ['acme', 'acme.eu', 'Acme']

const granting = ['payment.approve', 'payment.*', '*.*']

/** Permissions that a person may hold. */
export const grants: readonly Held[] = [
  ...[null, ...tenants].flatMap((tenant) => [...granting, 'payment.read', 'other.*'].map((name) => ({ name, tenant }))),
]

/** The rules in the words of the documentation, without the code under test. */
export const rules = {
  mayApprove: ({ held }: Person, tenant: string | null): boolean =>
    held.some((one) => granting.includes(one.name) && (one.tenant === null || one.tenant === tenant)),
  mayAsk: ({ held }: Person, tenant: string | null): boolean =>
    tenant === null || held.some((one) => one.tenant === tenant || (one.tenant === null && one.name === '*.*')),
  mayAskSeveral: (person: Person, tenant: string | null): boolean =>
    rules.mayAsk(person, tenant) || person.held.some(({ name, tenant: where }) => where === null && granting.includes(name)),
  isWithin: ({ within = [] }: CallingService, tenant: string | null): boolean =>
    within.length === 0 || within.some((one) => one === tenant),
}

const rights = ['confirmation.initiate', 'confirmation.read', 'confirmation.redeem', 'approval.read', 'approval.redeem']

/** Services of one name, whose tokens are bound to different tenants, and another service. */
export const services: readonly CallingService[] = [
  { name: 'billing', within: [] },
  { name: 'billing', within: ['acme'] },
  { name: 'billing', within: ['acme.eu', 'Acme'] },
  { name: 'mail', within: ['Acme'] },
].map((service) => ({ ...service, scopes: rights.map((right) => `${right}:payment_approval`) }))

/** The action of every question. */
export const action = {
  actionType: 'payment_approval',
  actionPayload: { amount: 1, currency: 'EUR', recipient: 'Ada' },
} as const

export const policy = { permission: 'payment.approve', count: 2 } as const

const PEOPLE = 5

const givenPerson = async (storage: FullStorage): Promise<Person> => {
  const { id, email } = await givenUser(storage, { permissions: [] })
  const signer = createTestDevice('ES256')
  const { publicKey, keyAlgorithm } = signer
  const device = await givenDevice(storage, { userId: id, publicKey, keyAlgorithm })
  const session = { userId: id, kind: 'biometric', authMethod: 'biometric', deviceId: device.id } as const
  const { id: sessionId } = await givenSession(storage, session)
  const held = { permissions: [], tokenUse: 'biometric_access', trustLevel: 'high' } as const
  return {
    id,
    email,
    caller: { userId: id, directoryId: null, email, sessionId, deviceId: device.id, ...held },
    device,
    signer,
    held: [],
  }
}

/** Creates a `Countersign` on a storage that nothing else uses, with people who hold no permission yet. */
export const createTenantWorld = async (storage: FullStorage) => {
  const clock = fakeClock()
  const push = recordingPush()
  const background = drainableBackground(clock)
  const countersign = createCountersign({
    storage,
    clock,
    push,
    background,
    logger: recordingLogger(),
    passwords: cheapHasher(),
    jwtKeys: aKeyRing(),
    encryptionKeys: aKeyRing(),
    receipts: { keys: aReceiptKeyRing(), issuer: 'https://auth.example.com' },
    options: {
      approvalPolicies: { payment_approval: policy },
      pendingConfirmationsPerService: 1,
      confirmationLifetime: seconds(1),
      approvalRequestLifetime: seconds(1),
    },
  })
  const people: Person[] = []
  for (let count = 0; count < PEOPLE; count += 1) {
    const person = await givenPerson(storage)
    await countersign.devices.setPushToken({ caller: person.caller, deviceId: person.device.id, pushToken: randomUUID() })
    people.push(person)
  }
  return { storage, clock, push, background, countersign, people }
}

export type TenantWorld = Awaited<ReturnType<typeof createTenantWorld>>
