import type { Statement } from '@countersign/contract'
import { expect } from 'vitest'
import type { CallingService } from '../../../identity/authentication/calling-service.ts'
import { CountersignError } from '../../../shared/errors.ts'
import { action, grants, type Person, policy, rules, services, type TenantWorld, tenants, unknownTenant } from './tenant-world.ts'

/** One step of a history. The numbers choose a person, a service, a tenant and an earlier thing. */
export interface Step {
  readonly kind: 'grant' | 'ask' | 'askSeveral' | 'askByService' | 'approve' | 'read' | 'redeem' | 'pending'
  readonly person: number
  readonly service: number
  readonly tenant: number
  readonly thing: number
  readonly held: readonly number[]
}

/** A confirmation or request of the history, as the test knows it. */
interface Thing {
  readonly id: string
  readonly isRequest: boolean
  readonly tenant: string | null
  readonly by: CallingService | undefined
  /** The people who are asked: of a request also those who can approve later, once they read what is pending. */
  readonly asked: Person[]
  readonly requester: Person | undefined
  readonly approvedBy: Set<Person>
  isUsed: boolean
}

/** Returns the outcome of a call: its value, or the code and the text of its refusal. */
const outcomeOf = async <T>(
  call: Promise<T>,
): Promise<{ readonly value: T } | { readonly code: string; readonly text: string }> => {
  try {
    return { value: await call }
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    const text = `${error.message} ${JSON.stringify(error)}`
    for (const tenant of [...tenants, unknownTenant]) expect(text).not.toContain(tenant)
    return { code: error.code, text }
  }
}

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T

/** Replays a history, and compares each outcome with the rules. */
export const replay = async (world: TenantWorld, steps: readonly Step[]): Promise<void> => {
  const { countersign, storage, clock, people, push, background } = world
  const { confirmations, approvalRequests } = countersign
  // Everything of the histories before has expired, and their last messages are sent.
  clock.advance(20_000)
  await background.drain()
  const begunAt = clock.now()
  const sentBefore = push.sent.length
  const things: Thing[] = []
  const add = (thing: Omit<Thing, 'approvedBy' | 'isUsed'>) => things.push({ ...thing, approvedBy: new Set(), isUsed: false })
  const missing = { id: 'conf_none', isRequest: false } as Thing

  const ask = async ({ person, tenant }: Chosen) => {
    const initiate = (where: string | null) =>
      outcomeOf(confirmations.initiate({ ...action, tenant: where, caller: person.caller }))
    const outcome = await initiate(tenant)
    if (!rules.mayAsk(person, tenant)) return expect(outcome).toStrictEqual(await initiate(unknownTenant))
    if (!('value' in outcome)) throw new Error(outcome.code)
    return add({ id: outcome.value.id, isRequest: false, tenant, by: undefined, asked: [person], requester: person })
  }

  const askSeveral = async ({ person, tenant }: Chosen) => {
    const start = (where: string | null) => outcomeOf(approvalRequests.start({ ...action, tenant: where, caller: person.caller }))
    const outcome = await start(tenant)
    const asked = people.filter((one) => one !== person && rules.mayApprove(one, tenant))
    if (!rules.mayAskSeveral(person, tenant)) {
      expect(outcome).toMatchObject({ code: 'forbidden' })
      return expect(outcome).toStrictEqual(await start(unknownTenant))
    }
    if (asked.length < policy.count) return expect(outcome).toMatchObject({ code: 'too_few_approvers' })
    if (!('value' in outcome)) return expect(outcome).toMatchObject({ code: 'too_many_approval_requests' })
    const { id } = outcome.value
    const votes = await storage.approvalRequests.confirmationsOf(id)
    expect(votes.map(({ userId }) => userId).toSorted(ascending)).toStrictEqual(asked.map(({ id }) => id))
    return add({ id, isRequest: true, tenant, by: undefined, asked, requester: person })
  }

  const askByService = async ({ person, service, tenant }: Chosen) => {
    const initiate = (where: string | null) =>
      outcomeOf(countersign.services.initiate({ ...action, tenant: where, service, userId: person.id }))
    const outcome = await initiate(tenant)
    if (!rules.isWithin(service, tenant)) {
      expect(outcome).toMatchObject({ code: 'forbidden' })
      return expect(outcome).toStrictEqual(await initiate(unknownTenant))
    }
    // One may be pending: in each tenant for a service that is bound to tenants, in all tenants together for any other service.
    const isPending = things.some(({ by, asked, tenant: where, approvedBy }) => {
      const isCounted = by?.name === service.name && asked.includes(person) && approvedBy.size === 0
      return isCounted && (where === tenant || service.within?.length === 0)
    })
    if (isPending) return expect(outcome).toMatchObject({ code: 'too_many_pending_confirmations' })
    if (!('value' in outcome)) throw new Error(outcome.code)
    return add({ id: outcome.value.id, isRequest: false, tenant, by: service, asked: [person], requester: undefined })
  }

  const pendingOf = (person: Person) => {
    const later = things.filter(({ isRequest, isUsed, asked, requester, tenant }) => {
      return isRequest && !isUsed && requester !== person && !asked.includes(person) && rules.mayApprove(person, tenant)
    })
    for (const { asked } of later) asked.push(person)
    return confirmations.pending({ caller: person.caller })
  }

  const approve = async ({ person, thing }: Chosen) => {
    if (thing === undefined) return
    const shown = (await pendingOf(person)).find(({ id, statementText }) => {
      return id === thing.id || (JSON.parse(statementText) as Statement).approval?.id === thing.id
    })
    expect(shown !== undefined).toBe(thing.asked.includes(person) && !thing.approvedBy.has(person) && !thing.isUsed)
    if (shown === undefined) return
    const signedChallenge = person.signer.sign(shown.challenge)
    await confirmations.approve({ caller: person.caller, confirmationId: shown.id, deviceId: person.device.id, signedChallenge })
    thing.approvedBy.add(person)
  }

  /** The approvals that count now. */
  const counted = ({ approvedBy, tenant }: Thing) => [...approvedBy].filter((person) => rules.mayApprove(person, tenant))

  const isKnownTo = (service: CallingService, { by, tenant, isRequest }: Thing) =>
    rules.isWithin(service, tenant) && (isRequest || by === undefined || by.name === service.name)

  const read = async ({ person, service, thing = missing }: Chosen) => {
    const ofUser = ({ id, isRequest }: Thing) =>
      outcomeOf<object>(
        isRequest
          ? approvalRequests.read({ caller: person.caller, approvalId: id })
          : confirmations.status({ caller: person.caller, confirmationId: id }),
      )
    const ofService = ({ id, isRequest }: Thing) =>
      outcomeOf<object>(
        isRequest
          ? approvalRequests.readForService({ service, approvalId: id })
          : countersign.services.confirmation({ service, confirmationId: id }),
      )
    const receipt = ({ id }: Thing) => outcomeOf(countersign.services.receipt({ service, confirmationId: id }))
    const none = { ...missing, isRequest: thing.isRequest }
    const isParty = thing !== missing && (thing.requester === person || thing.asked.includes(person))
    if (isParty) expect(await ofUser(thing)).toHaveProperty('value')
    else expect(await ofUser(thing)).toStrictEqual(await ofUser(none))
    const isKnown = thing !== missing && isKnownTo(service, thing)
    const found = await ofService(thing)
    if (!isKnown) expect(found).toStrictEqual(await ofService(none))
    else if (!thing.isRequest) expect(found).toHaveProperty('value')
    else expect(found).toMatchObject({ value: { approvals: thing.isUsed ? policy.count : counted(thing).length } })
    const isApproved = isKnown && !thing.isRequest && thing.approvedBy.size > 0
    if (isApproved) expect(await receipt(thing)).toHaveProperty('value')
    else expect(await receipt(thing)).toStrictEqual(await receipt(none))
  }

  const redeem = async ({ service, thing = missing, tenant }: Chosen) => {
    const use = ({ id, isRequest, asked }: Thing) =>
      isRequest
        ? outcomeOf<object>(approvalRequests.redeem({ ...action, ...policy, tenant, service, approvalId: id }))
        : outcomeOf<object>(
            countersign.services.redeem({ ...action, tenant, service, confirmationId: id, userId: asked?.[0]?.id ?? 1 }),
          )
    const outcome = await use(thing)
    if (thing === missing || !isKnownTo(service, thing)) {
      return expect(outcome).toStrictEqual(await use({ ...missing, isRequest: thing.isRequest }))
    }
    const isApproved = thing.isRequest ? counted(thing).length >= policy.count : thing.approvedBy.size > 0
    const codes = thing.isRequest
      ? { used: 'approval_redeemed', open: 'approval_not_approved' }
      : { used: 'confirmation_consumed', open: 'confirmation_not_approved' }
    const isOther = thing.tenant !== tenant
    if (thing.isUsed) return expect(outcome).toMatchObject({ code: codes.used })
    if (isOther && (isApproved || thing.isRequest)) return expect(outcome).toMatchObject({ code: 'other_action' })
    if (!isApproved) return expect(outcome).toMatchObject({ code: codes.open })
    expect(outcome).toHaveProperty('value')
    thing.isUsed = true
  }

  const pending = async ({ person }: Chosen) => {
    const listed = await pendingOf(person)
    const mine = things.filter((thing) => thing.asked.includes(person) && !thing.approvedBy.has(person) && !thing.isUsed)
    expect(listed).toHaveLength(mine.length)
  }

  const grant = async ({ person, held }: Chosen) => {
    person.held = held
    const permissions = held.map(({ name, tenant }) => (tenant === null ? name : `${name}@${tenant}`))
    const user = await storage.users.byId(person.id)
    await storage.users.change(person.id, user?.version ?? 0, { permissions: [...new Set(permissions)] }, clock.now())
  }

  const run = { grant, ask, askSeveral, askByService, approve, read, redeem, pending }
  for (const step of steps) {
    const chosen = {
      person: at(people, step.person),
      service: at(services, step.service),
      tenant: at([null, ...tenants, unknownTenant], step.tenant),
      thing: things[step.thing % things.length],
      held: step.held.map((index) => at(grants, index)),
    }
    await run[step.kind](chosen)
  }

  const listed = [at(tenants, steps.length), unknownTenant]
  for (const tenant of listed) {
    const { items } = await confirmations.listAll({ tenant, since: begunAt, limit: 1000 })
    const expected = things.filter((thing) => thing.tenant === tenant).reduce((sum, { asked }) => sum + asked.length, 0)
    expect(items).toHaveLength(expected)
    for (const item of items) expect(item.tenant).toBe(tenant)
  }
  await background.drain()
  for (const message of push.sent.slice(sentBefore)) {
    if (message.type !== 'confirmation.requested') continue
    const person = people.find(({ device }) => device.id === message.deviceId)
    const ofPerson = things.filter(({ asked }) => person !== undefined && asked.includes(person))
    expect(ofPerson.length).toBeGreaterThanOrEqual(message.count)
    expect(await storage.confirmations.ofUser(person?.id ?? 0, message.confirmationId)).toBeDefined()
  }
}

interface Chosen {
  readonly person: Person
  readonly service: CallingService
  readonly tenant: string | null
  readonly thing: Thing | undefined
  readonly held: (typeof grants)[number][]
}

const ascending = (one: number, other: number): number => one - other
