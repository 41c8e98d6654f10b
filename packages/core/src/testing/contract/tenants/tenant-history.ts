import type { Statement } from '@countersign/contract'
import { expect } from 'vitest'
import type { CallingService } from '../../../identity/authentication/calling-service.ts'
import { toIsoTimestamp } from '../../../shared/clock.ts'
import { CountersignError } from '../../../shared/errors.ts'
import {
  action,
  grants,
  type Lent,
  type Person,
  type Phone,
  policy,
  rules,
  type TenantWorld,
  tenants,
  unknownTenant,
} from './tenant-world.ts'

/** One step of a history. The numbers choose a person, a phone, a service, a tenant and an earlier thing. */
export interface Step {
  readonly kind:
    | 'grant'
    | 'delegate'
    | 'signIn'
    | 'ask'
    | 'askSeveral'
    | 'askByService'
    | 'approve'
    | 'read'
    | 'redeem'
    | 'pending'
  readonly person: number
  readonly phone: number
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
  /**
   * The people who are asked, with the givers for whom they vote: of a request also those who can approve later, once they read
   * what is pending.
   */
  readonly asked: Map<Person, Person | undefined>
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
  const { countersign, storage, clock, people, services, push, background } = world
  const { confirmations, approvalRequests } = countersign
  // Everything of the histories before has expired, and their last messages are sent.
  clock.advance(20_000)
  await background.drain()
  for (const { id } of people)
    for (const delegation of await storage.delegations.running({ userId: id }, clock.now()))
      await storage.delegations.end(delegation)
  const begunAt = clock.now()
  const sentBefore = push.sent.length
  const things: Thing[] = []
  const lent: Lent[] = []
  const add = (thing: Omit<Thing, 'approvedBy' | 'isUsed'>) => things.push({ ...thing, approvedBy: new Set(), isUsed: false })
  const missing = { id: 'conf_none', isRequest: false } as Thing
  const alone = (person: Person) => new Map([[person, undefined]])

  const ask = async ({ phone, tenant }: Chosen) => {
    const initiate = (where: string | null) =>
      outcomeOf(confirmations.initiate({ ...action, tenant: where, caller: phone.caller }))
    const outcome = await initiate(tenant)
    if (!rules.mayAsk(phone, tenant)) return expect(outcome).toStrictEqual(await initiate(unknownTenant))
    if (!('value' in outcome)) throw new Error(outcome.code)
    const { person } = phone
    return add({ id: outcome.value.id, isRequest: false, tenant, by: undefined, asked: alone(person), requester: person })
  }

  const askSeveral = async ({ phone, tenant }: Chosen) => {
    const { person } = phone
    const start = (where: string | null) => outcomeOf(approvalRequests.start({ ...action, tenant: where, caller: phone.caller }))
    const outcome = await start(tenant)
    if (!rules.mayAskSeveral(phone, tenant)) {
      expect(outcome).toMatchObject({ code: 'forbidden' })
      return expect(outcome).toStrictEqual(await start(unknownTenant))
    }
    const voters = people.map((one) => [one, rules.mayVote(one, tenant, person, lent)] as const)
    // A giver is a holder too, and counts with the delegates as one person.
    if (voters.filter(([, why]) => why === 'own').length < policy.count) {
      return expect(outcome).toMatchObject({ code: 'too_few_approvers' })
    }
    if (!('value' in outcome)) return expect(outcome).toMatchObject({ code: 'too_many_approval_requests' })
    const { id } = outcome.value
    const asked = new Map(voters.flatMap(([one, why]) => (why === undefined ? [] : [[one, why === 'own' ? undefined : why]])))
    const votes = await storage.approvalRequests.confirmationsOf(id)
    const givers = new Map(votes.map(({ userId, delegatedBy }) => [userId, delegatedBy]))
    expect(givers).toStrictEqual(new Map([...asked].map(([one, giver]) => [one.id, giver?.id ?? null])))
    return add({ id, isRequest: true, tenant, by: undefined, asked, requester: person })
  }

  const askByService = async ({ person, service, tenant }: Chosen) => {
    const initiate = (where: string | null, userId = person.id) =>
      outcomeOf(countersign.services.initiate({ ...action, tenant: where, service, userId }))
    const outcome = await initiate(tenant)
    if (!rules.isWithin(service, tenant)) {
      expect(outcome).toMatchObject({ code: 'forbidden' })
      return expect(outcome).toStrictEqual(await initiate(unknownTenant))
    }
    if (!rules.belongsTo(person, service, lent)) return expect(outcome).toStrictEqual(await initiate(tenant, NOBODY))
    // One may be pending: in each tenant for a service that is bound to tenants, in all tenants together for any other service.
    const isPending = things.some(({ by, asked, tenant: where, approvedBy }) => {
      const isCounted = by?.name === service.name && asked.has(person) && approvedBy.size === 0
      return isCounted && (where === tenant || service.within?.length === 0)
    })
    if (isPending) return expect(outcome).toMatchObject({ code: 'too_many_pending_confirmations' })
    if (!('value' in outcome)) throw new Error(outcome.code)
    return add({ id: outcome.value.id, isRequest: false, tenant, by: service, asked: alone(person), requester: undefined })
  }

  const signIn = async ({ person, service }: Chosen) => {
    const signedInAt = toIsoTimestamp(clock.now())
    const open = (id: number) =>
      outcomeOf(countersign.sessions.openForService({ service, user: { id }, signedInAt, method: 'test' }))
    const outcome = await open(person.id)
    if (!rules.belongsTo(person, service, lent)) return expect(outcome).toStrictEqual(await open(NOBODY))
    if (!('value' in outcome)) throw new Error(outcome.code)
    const { within = [] } = service
    const { accessToken: token, sessionId } = outcome.value
    const bound = within.length === 0 ? null : within.toSorted()
    expect(await countersign.auth.authenticate({ token })).toMatchObject({ tenants: bound })
    for (const tenant of [undefined, ...tenants]) {
      const { permissions, tenants: held = {} } = await countersign.auth.introspect({ token, serviceName: 'any', tenant })
      const isShown = (one: string | null) =>
        one !== null && (bound === null || bound.includes(one)) && (tenant === undefined || tenant === one)
      const shown = new Set(person.held.flatMap((one) => (isShown(one.tenant) ? [one.tenant] : [])))
      expect(new Set(Object.keys(held))).toStrictEqual(shown)
      if (bound !== null && (tenant === undefined || !bound.includes(tenant))) expect(permissions).toStrictEqual([])
    }
    await storage.sessions.end(sessionId, 'logout', clock.now())
  }

  const isOpenFor = (thing: Thing, { person, within }: Phone): boolean =>
    thing.asked.has(person) && !thing.approvedBy.has(person) && !thing.isUsed && rules.covers({ within }, thing.tenant)

  const pendingOf = (phone: Phone) => {
    const { person, caller } = phone
    for (const { isRequest, isUsed, asked, requester, tenant } of things) {
      if (!isRequest || isUsed || asked.has(person) || !rules.covers(phone, tenant)) continue
      const why = rules.mayVote(person, tenant, requester, lent)
      if (why !== undefined) asked.set(person, why === 'own' ? undefined : why)
    }
    return confirmations.pending({ caller })
  }

  const approve = async ({ phone, thing }: Chosen) => {
    if (thing === undefined) return
    const { caller, device, signer, person } = phone
    const shown = (await pendingOf(phone)).find(({ id, statementText }) => {
      return id === thing.id || (JSON.parse(statementText) as Statement).approval?.id === thing.id
    })
    expect(shown !== undefined).toBe(isOpenFor(thing, phone))
    const sign = ({ id, challenge }: { readonly id: string; readonly challenge: string }) =>
      confirmations.approve({ caller, confirmationId: id, deviceId: device.id, signedChallenge: signer.sign(challenge) })
    if (shown === undefined) {
      const asked = thing.isRequest
        ? await storage.approvalRequests.confirmationsOf(thing.id)
        : [await storage.confirmations.byId(thing.id)]
      const hidden = asked.find((one) => one?.userId === person.id)
      if (hidden !== undefined && !rules.covers(phone, thing.tenant)) {
        const refusal = await outcomeOf(sign({ id: 'conf_none', challenge: hidden.challenge }))
        expect(await outcomeOf(sign(hidden))).toStrictEqual(refusal)
      }
      return
    }
    await sign(shown)
    thing.approvedBy.add(person)
    clock.advance(1)
  }

  /** The approvals that count now, each person and each giver once. */
  const counted = ({ approvedBy, asked, tenant, requester }: Thing): number => {
    const seen = new Set<Person>()
    return [...approvedBy].filter((person) => {
      const giver = asked.get(person)
      const isLent = lent.some((one) => one.to === person && one.from === giver && rules.lends(one, tenant))
      const isValid = giver === undefined ? rules.holds(person, tenant) : isLent
      const parties = giver === undefined ? [person] : [person, giver]
      if (parties.some((one) => rules.isRequester(one, requester, lent))) return false
      if (!isValid || parties.some((one) => seen.has(one))) return false
      for (const one of parties) seen.add(one)
      return true
    }).length
  }

  const isKnownTo = (service: CallingService, { by, tenant, isRequest }: Thing) =>
    rules.isWithin(service, tenant) && (isRequest || by === undefined || by.name === service.name)

  const read = async ({ phone, service, thing = missing }: Chosen) => {
    const { person, caller } = phone
    const ofUser = ({ id, isRequest }: Thing) =>
      outcomeOf<object>(
        isRequest ? approvalRequests.read({ caller, approvalId: id }) : confirmations.status({ caller, confirmationId: id }),
      )
    const ofService = ({ id, isRequest }: Thing) =>
      outcomeOf<object>(
        isRequest
          ? approvalRequests.readForService({ service, approvalId: id })
          : countersign.services.confirmation({ service, confirmationId: id }),
      )
    const receipt = ({ id }: Thing) => outcomeOf(countersign.services.receipt({ service, confirmationId: id }))
    const none = { ...missing, isRequest: thing.isRequest }
    const isParty = thing !== missing && (thing.requester === person || thing.asked.has(person))
    if (isParty && rules.covers(phone, thing.tenant)) expect(await ofUser(thing)).toHaveProperty('value')
    else expect(await ofUser(thing)).toStrictEqual(await ofUser(none))
    const isKnown = thing !== missing && isKnownTo(service, thing)
    const found = await ofService(thing)
    if (!isKnown) expect(found).toStrictEqual(await ofService(none))
    else if (!thing.isRequest) expect(found).toHaveProperty('value')
    else expect(found).toMatchObject({ value: { approvals: thing.isUsed ? policy.count : counted(thing) } })
    const isApproved = isKnown && !thing.isRequest && thing.approvedBy.size > 0
    if (isApproved) expect(await receipt(thing)).toHaveProperty('value')
    else expect(await receipt(thing)).toStrictEqual(await receipt(none))
  }

  const redeem = async ({ service, thing = missing, tenant }: Chosen) => {
    const use = ({ id, isRequest, asked }: Thing) =>
      isRequest
        ? outcomeOf<object>(approvalRequests.redeem({ ...action, ...policy, tenant, service, approvalId: id }))
        : outcomeOf<object>(
            countersign.services.redeem({
              ...action,
              tenant,
              service,
              confirmationId: id,
              userId: [...(asked ?? [])][0]?.[0].id ?? 1,
            }),
          )
    const outcome = await use(thing)
    if (thing === missing || !isKnownTo(service, thing)) {
      return expect(outcome).toStrictEqual(await use({ ...missing, isRequest: thing.isRequest }))
    }
    const isApproved = thing.isRequest ? counted(thing) >= policy.count : thing.approvedBy.size > 0
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

  const pending = async ({ phone }: Chosen) => {
    const listed = await pendingOf(phone)
    const mine = things.filter((thing) => isOpenFor(thing, phone))
    expect(listed).toHaveLength(mine.length)
  }

  const grant = async ({ person, held }: Chosen) => {
    person.held = held
    const permissions = held.map(({ name, tenant }) => (tenant === null ? name : `${name}@${tenant}`))
    const user = await storage.users.byId(person.id)
    await storage.users.change(person.id, user?.version ?? 0, { permissions: [...new Set(permissions)] }, clock.now())
  }

  const delegate = async ({ person: from, other: to, tenant }: Chosen) => {
    if (from === to || lent.some((one) => one.from === from && one.to === to && one.tenant === tenant)) return
    const permission = tenant === null ? policy.permission : `${policy.permission}@${tenant}`
    const now = clock.now()
    await storage.delegations.put({ from: from.id, to: to.id, permission, until: now + 60_000, createdAt: now })
    lent.push({ from, to, tenant })
  }

  const run = { grant, delegate, signIn, ask, askSeveral, askByService, approve, read, redeem, pending }
  for (const step of steps) {
    const chosen = {
      person: at(people, step.person),
      phone: at(at(people, step.person).phones, step.phone),
      other: at(people, step.thing),
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
    const expected = things.filter((thing) => thing.tenant === tenant).reduce((sum, { asked }) => sum + asked.size, 0)
    expect(items).toHaveLength(expected)
    for (const item of items) expect(item.tenant).toBe(tenant)
  }
  await background.drain()
  for (const message of push.sent.slice(sentBefore)) {
    if (message.type !== 'confirmation.requested') continue
    const phone = people.flatMap(({ phones }) => phones).find(({ device }) => device.id === message.deviceId)
    if (phone === undefined) throw new Error('a message has an unknown recipient')
    const reached = things.filter(({ asked, tenant }) => asked.has(phone.person) && rules.covers(phone, tenant))
    expect(reached.length).toBeGreaterThanOrEqual(message.count)
    const named = await storage.confirmations.byId(message.confirmationId)
    expect(named?.userId === phone.person.id && rules.covers(phone, named.tenant)).toBe(true)
  }
}

/** No user has this id. */
const NOBODY = 1_000_000_000

interface Chosen {
  readonly person: Person
  readonly phone: Phone
  readonly other: Person
  readonly service: CallingService
  readonly tenant: string | null
  readonly thing: Thing | undefined
  readonly held: (typeof grants)[number][]
}
