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

/** A trusted device of a person, with its session. Both are bound to the same tenants, or to none. */
export interface Phone {
  readonly person: Person
  readonly within: readonly string[] | null
  readonly caller: Caller
  readonly device: Device
  readonly signer: TestDevice
}

/** A person with a phone for each customer and one for all. The permissions of a person change in every history. */
export interface Person {
  readonly id: number
  readonly email: string
  readonly phones: Phone[]
  held: readonly Held[]
}

/** A delegation as the test knows it. The giver may have the permission, or not. */
export interface Lent {
  readonly from: Person
  readonly to: Person
  readonly tenant: string | null
}

/** A tenant that nobody uses. Every refusal is compared with the one for this tenant. */
export const unknownTenant = 'nobodys'
export const tenants: readonly string[] = ['acme', 'acme.eu', 'Acme']

const granting = ['payment.approve', 'payment.*', '*.*']

/** Permissions that a person can have. */
export const grants: readonly Held[] = [
  ...[null, ...tenants].flatMap((tenant) => [...granting, 'payment.read', 'other.*'].map((name) => ({ name, tenant }))),
]

/** The rules in the words of the documentation, without the code under test. */
export const rules = {
  holds: ({ held }: Person, tenant: string | null): boolean =>
    held.some((one) => granting.includes(one.name) && (one.tenant === null || one.tenant === tenant)),
  /** Why a person may vote in a request of another one: `own` permission, or the first giver of a delegation. */
  mayVote: (
    person: Person,
    tenant: string | null,
    requester: Person | undefined,
    lent: readonly Lent[],
  ): 'own' | Person | undefined => {
    const isRequester = (one: Person): boolean => rules.isRequester(one, requester, lent)
    if (isRequester(person)) return undefined
    if (rules.holds(person, tenant)) return 'own'
    const given = lent.filter((one) => one.to === person && !isRequester(one.from) && rules.lends(one, tenant))
    return given.map(({ from }) => from).sort((one, other) => one.id - other.id)[0]
  },
  /** Returns whether a person counts as the requester. All people whom the requester appointed count as the requester. */
  isRequester: (person: Person, requester: Person | undefined, lent: readonly Lent[]): boolean =>
    person === requester || lent.some(({ from, to }) => from === requester && to === person),
  lends: ({ from, tenant: where }: Lent, tenant: string | null): boolean =>
    (where === null || where === tenant) && rules.holds(from, where),
  /** Returns whether a session or device can act in a tenant. */
  covers: ({ within }: Pick<Phone, 'within'>, tenant: string | null): boolean =>
    within === null || within.some((one) => one === tenant),
  mayAsk: ({ person: { held }, within }: Phone, tenant: string | null): boolean => {
    if (!rules.covers({ within }, tenant)) return false
    if (tenant === null || held.some((one) => one.tenant === tenant)) return true
    return within === null && held.some((one) => one.tenant === null && one.name === '*.*')
  },
  mayAskSeveral: (phone: Phone, tenant: string | null): boolean =>
    rules.mayAsk(phone, tenant) ||
    (phone.within === null && phone.person.held.some(({ name, tenant: where }) => where === null && granting.includes(name))),
  /** Returns whether a person exists for a service. For a service that is not bound, everybody exists. */
  belongsTo: (person: Person, { within = [] }: CallingService, lent: readonly Lent[]): boolean => {
    const isOf = (tenant: string | null): boolean => tenant !== null && within.includes(tenant)
    if (within.length === 0 || person.held.some(({ tenant }) => isOf(tenant))) return true
    return lent.some((one) => one.to === person && isOf(one.tenant) && rules.holds(one.from, one.tenant))
  },
  isWithin: ({ within = [] }: CallingService, tenant: string | null): boolean =>
    within.length === 0 || within.some((one) => one === tenant),
}

const rights = ['confirmation.initiate', 'confirmation.read', 'confirmation.redeem', 'approval.read', 'approval.redeem']
const scopes = ['session.open', ...rights.map((right) => `${right}:payment_approval`)]

/** Services of one name, whose tokens are bound to different tenants, and another service. */
const bounds = [
  { service: 'billing', within: [] },
  { service: 'billing', within: ['acme'] },
  { service: 'billing', within: ['acme.eu', 'Acme'] },
  { service: 'mail', within: ['Acme'] },
]

/** The action of every question. */
export const action = {
  actionType: 'payment_approval',
  actionPayload: { amount: 1, currency: 'EUR', recipient: 'Ada' },
} as const

export const policy = { permission: 'payment.approve', count: 2 } as const

const PEOPLE = 5

/** The bounds of the phones of each person. */
const phoneBounds: readonly Phone['within'][] = [null, ['acme'], ['Acme', 'acme.eu']]

const givenPhone = async (storage: FullStorage, person: Person, within: Phone['within']): Promise<Phone> => {
  const { id: userId, email } = person
  const signer = createTestDevice('ES256')
  const { publicKey, keyAlgorithm } = signer
  const device = await givenDevice(storage, { userId, publicKey, keyAlgorithm, tenants: within })
  const session = { userId, kind: 'biometric', authMethod: 'biometric', deviceId: device.id, tenants: within } as const
  const { id: sessionId } = await givenSession(storage, session)
  const held = { permissions: [], tokenUse: 'biometric_access', trustLevel: 'high' } as const
  return {
    person,
    within,
    caller: { userId, directoryId: null, email, sessionId, deviceId: device.id, tenants: within, ...held },
    device,
    signer,
  }
}

const givenPerson = async (storage: FullStorage): Promise<Person> => {
  const { id, email } = await givenUser(storage, { permissions: [] })
  const person: Person = { id, email, held: [], phones: [] }
  for (const within of phoneBounds) person.phones.push(await givenPhone(storage, person, within))
  return person
}

/** Creates a `Countersign` on a storage that nothing else uses, with people who have no permission yet. */
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
    for (const { caller, device } of person.phones) {
      await countersign.devices.setPushToken({ caller, deviceId: device.id, pushToken: randomUUID() })
    }
    people.push(person)
  }
  const services: CallingService[] = []
  for (const { service, within } of bounds) {
    const { token } = await countersign.serviceTokens.issue({ service, scopes, within })
    services.push(await countersign.auth.authenticateService({ token, serviceName: service }))
  }
  return { storage, clock, push, background, countersign, people, services }
}

export type TenantWorld = Awaited<ReturnType<typeof createTenantWorld>>
