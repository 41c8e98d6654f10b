import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Input, Output } from '@countersign/contract'
import { createTestUser } from '@countersign/core/testing'
import { openSqlite } from '@countersign/storage-sqlite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { concurrently, describeRaces, race, statusesOf } from '../src/testing/race.ts'
import { signIn } from '../src/testing/sign-in.ts'
import { createTestApp, type TestAnswer, type TestApp } from '../src/testing/test-app.ts'

const MANY = 50

/** Returns the apps in turn, all on one database, with a customer and a user with every project permission. */
const withProjects = async (apps: readonly [TestApp, ...TestApp[]]) => {
  const [first] = apps
  const { token } = await signIn(first, await createTestUser(first, { permissions: ['project.*'] }))
  const { id: customerId } = await first.countersign.customers.create({ name: 'ACME GmbH', email: 'office@acme.test' })
  const appAt = (index: number): TestApp => apps[index % apps.length] ?? first
  const body = (given: Partial<Input<'projects.create'>> = {}) => ({
    name: 'Bridge',
    customerId,
    contractValue: 1000,
    currency: 'EUR',
    ...given,
  })
  const create = (index: number, given?: Partial<Input<'projects.create'>>) =>
    appAt(index).call('projects.create', body(given), { token })
  return { token, appAt, create }
}

const projectOf = ({ body }: TestAnswer) => (body as Output<'projects.create'>).data
const numberOf = (answer: TestAnswer): number => Number(/^PRJ-2026-(\d{6})$/.exec(projectOf(answer).uniqueCode)?.[1])
const inOrder = (numbers: readonly number[]): readonly number[] => numbers.toSorted((a, b) => a - b)

const suite = (apps: () => readonly [TestApp, ...TestApp[]]): void => {
  race(`${MANY} projects created concurrently get the next ${MANY} codes, one each`, async () => {
    const { token, appAt, create } = await withProjects(apps())
    const before = numberOf(await create(0))
    const answers = await concurrently(MANY, create)
    expect(statusesOf(answers)).toEqual({ 201: MANY })
    expect(inOrder(answers.map(numberOf))).toEqual(Array.from({ length: MANY }, (_, at) => before + 1 + at))
    expect(new Set(answers.map((answer) => projectOf(answer).id)).size).toBe(MANY)
    // Each code leads to its own project in every app.
    for (const [index, answer] of answers.entries()) {
      const { uniqueCode } = projectOf(answer)
      const { data } = await appAt(index + 1).ask('projects.get', { uniqueCode }, { token })
      expect(data).toEqual(projectOf(answer))
    }
  })

  race('refused creations among them leave no gap in the codes', async () => {
    const { create } = await withProjects(apps())
    const before = numberOf(await create(0))
    const refused = { customerId: 'nobody' }
    const answers = await concurrently(MANY, (index) => create(index, index % 3 === 0 ? refused : {}))
    const created = answers.filter(({ status }) => status === 201)
    expect(statusesOf(answers)).toEqual({ 201: created.length, 400: MANY - created.length })
    expect(created).toHaveLength(MANY - 17)
    expect(inOrder(created.map(numberOf))).toEqual(created.map((_, at) => before + 1 + at))
    expect(numberOf(await create(1))).toBe(before + 1 + created.length)
  })

  race(`of ${MANY} concurrent approvals and deletions one deletes the project, and it is gone everywhere`, async (round) => {
    const { token, appAt, create } = await withProjects(apps())
    const name = `Only ${crypto.randomUUID()}`
    const project = projectOf(await create(0, { name }))
    const { uniqueCode } = project
    const total = async (index: number): Promise<number> => (await appAt(index).ask('projects.list', {}, { token })).meta.total
    const before = await total(0)
    // Pairs of requests go to one app, so each app gets both kinds.
    const removes = (index: number): boolean => (index + round) % 2 === 0
    const answers = await concurrently(MANY, (index) =>
      appAt(index >> 1).call(removes(index) ? 'projects.remove' : 'projects.approve', { uniqueCode }, { token }),
    )
    const [removals, approvals] = [answers.filter((_, index) => removes(index)), answers.filter((_, index) => !removes(index))]
    expect(statusesOf(removals)).toEqual({ 204: 1, 404: MANY / 2 - 1 })
    expect(approvals.filter(({ status }) => ![200, 404].includes(status))).toEqual([])
    for (const approval of approvals.filter(({ status }) => status === 200)) {
      expect(projectOf(approval)).toMatchObject({ uniqueCode, status: 'approved' })
    }
    for (const index of [0, 1]) {
      const gone = ['get', 'approve', 'remove', 'countResources', 'sumExpenses'] as const
      for (const verb of gone) {
        expect((await appAt(index).call(`projects.${verb}`, { uniqueCode }, { token })).status, verb).toBe(404)
      }
      expect((await appAt(index).call('projects.update', { uniqueCode, name }, { token })).status).toBe(404)
      const progress = { uniqueCode, progress: 'delivering' }
      expect((await appAt(index).call('projects.setProgress', progress, { token })).status).toBe(404)
      const { data, meta } = await appAt(index).ask('projects.list', { search: name }, { token })
      expect([data, meta.total]).toEqual([[], 0])
      expect(await total(index)).toBe(before - 1)
    }
    // The code is not issued again.
    expect(projectOf(await create(1)).uniqueCode > uniqueCode).toBe(true)
  })
}

/** Sends one approval in the middle of changes by a user who may update but not approve. */
const approvalSuite = (apps: () => readonly [TestApp, ...TestApp[]]): void => {
  race(`of ${MANY} changes during an approval, none changes the approved project`, async () => {
    const { token, appAt, create } = await withProjects(apps())
    const updater = await signIn(appAt(0), await createTestUser(appAt(0), { permissions: ['project.update', 'project.read'] }))
    const { uniqueCode } = projectOf(await create(0))
    const answers = await concurrently(MANY + 1, (index) =>
      index === MANY / 2
        ? appAt(index).call('projects.approve', { uniqueCode }, { token })
        : appAt(index).call('projects.update', { uniqueCode, contractValue: 2000 + index }, { token: updater.token }),
    )
    const [approval] = answers.splice(MANY / 2, 1)
    const approved = projectOf(approval ?? expect.fail('there is an approval'))
    expect(answers.filter(({ status }) => ![200, 403].includes(status))).toEqual([])
    for (const answer of answers.filter(({ status }) => status === 200)) expect(projectOf(answer).status).toBe('pending')
    const { data } = await appAt(1).ask('projects.get', { uniqueCode }, { token })
    expect(data).toEqual(approved)
  })
}

describeRaces('projects', (app) => {
  suite(() => [app()])
  approvalSuite(() => [app()])
})

describe('projects in two apps on one SQLite file', () => {
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
  let directory: string
  let storages: readonly Awaited<ReturnType<typeof openSqlite>>[]
  let apps: readonly [TestApp, TestApp]
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'countersign-project-races-'))
    const path = join(directory, 'test.db')
    const [one, other] = [await openSqlite({ path }), await openSqlite({ path })]
    storages = [one, other]
    await one.migrate()
    const options = { rateLimits: 'off' } as const
    const first = await createTestApp({ storage: one, options })
    const { jwtKeys, encryptionKeys } = first
    apps = [first, await createTestApp({ storage: other, options, jwtKeys, encryptionKeys })]
  })
  afterAll(async () => {
    for (const storage of storages) await storage.close()
    await rm(directory, { recursive: true })
  })

  suite(() => apps)
  approvalSuite(() => apps)

  it('are visible in each app as soon as the other app has answered', async () => {
    const { token, appAt, create } = await withProjects(apps)
    for (const index of [0, 1]) {
      const { uniqueCode } = projectOf(await create(index))
      const options = { token }
      await appAt(index).ask('projects.approve', { uniqueCode }, options)
      expect((await appAt(index + 1).ask('projects.get', { uniqueCode }, options)).data.status).toBe('approved')
      expect((await appAt(index).call('projects.remove', { uniqueCode }, options)).status).toBe(204)
      expect((await appAt(index + 1).call('projects.get', { uniqueCode }, options)).status).toBe(404)
    }
  })
})
