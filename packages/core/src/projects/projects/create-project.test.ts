import { describe, expect, it, vi } from 'vitest'
import { createProjectTest } from '../../../test/create-project-test.ts'
import { Forbidden, Invalid } from '../../shared/errors.ts'
import { atOnce } from '../../testing/contract/at-once.ts'
import { clockStart } from '../../testing/fake-clock.ts'
import { ProductAttributesRefused } from '../product-schemas/errors.ts'
import { ProjectCodeMistake } from '../records/project-code.ts'
import { ProjectCodeTaken } from './errors.ts'

const software = {
  name: 'Engine control',
  productType: 'software',
  attributes: { name: 'engine', version: '1.2.3', licenseType: 'perpetual', extra: { 'a.b': [1] } },
}

describe('creating a project', () => {
  it('returns the whole project, pending and at the first stage, with the next code of the year', async () => {
    const { countersign, customer, user } = await createProjectTest()
    const [caller, ada] = [await user('project.create', 'project.read'), await user()]
    const participant = await countersign.users.list().next()
    const project = await countersign.projects.create({
      name: 'A mill',
      customerId: customer.id,
      contractValue: 1234.5,
      currency: 'EUR',
      description: 'Of brass',
      replyDate: '2026-02-01T10:00:00+01:00',
      documentFileIds: ['file-1', 'file-1'],
      participantIds: [String(ada.userId), String(caller.userId), String(ada.userId)],
      products: [software],
      caller,
    })
    expect(participant.done).toBe(false)
    expect(project).toStrictEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      uniqueCode: 'PRJ-2026-000001',
      name: 'A mill',
      status: 'pending',
      progress: 'technical_negotiating',
      contractValue: 1234.5,
      currency: 'EUR',
      description: 'Of brass',
      replyDate: Date.parse('2026-02-01T09:00:00Z'),
      customerId: customer.id,
      creatorId: caller.userId,
      createdAt: clockStart,
      updatedAt: clockStart,
      customer: { id: customer.id, name: customer.name, email: customer.email },
      creator: { id: caller.userId, name: '', email: expect.any(String) },
      tasks: [],
      products: [{ ...software, id: expect.any(String), description: '', schemaVersion: '1.0.0' }],
      participants: [ada, caller].map(({ userId }) => ({ id: userId, name: '', email: expect.any(String) })),
      documentFileIds: ['file-1', 'file-1'],
    })
    expect(await countersign.projects.get({ uniqueCode: project.uniqueCode, caller: 'admin' })).toStrictEqual(project)
  })

  it('reveals no users to a caller who cannot read projects', async () => {
    const { countersign, customer, user } = await createProjectTest()
    const [caller, ada] = [await user('project.create', 'project.update', 'project.approve'), await user()]
    const given = { name: 'A mill', customerId: customer.id, contractValue: 1, currency: 'EUR', caller }
    const create = (...participantIds: readonly string[]) =>
      countersign.projects.create({ ...given, participantIds: [...participantIds] })
    const [known, unknown] = [await create(String(ada.userId), '999999'), await create('999999')]
    for (const { uniqueCode, participants } of [known, unknown]) {
      const answers = [
        await countersign.projects.update({ uniqueCode, name: 'A forge', caller }),
        await countersign.projects.setProgress({ uniqueCode, progress: 'bidding', caller }),
        await countersign.projects.approve({ uniqueCode, caller }),
      ]
      expect([participants, ...answers.map((answer) => answer.participants)]).toStrictEqual([[], [], [], []])
    }
    const participantsOf = async ({ uniqueCode }: typeof known) =>
      (await countersign.projects.get({ uniqueCode, caller: 'admin' })).participants.map(({ id }) => id)
    expect([await participantsOf(known), await participantsOf(unknown)]).toStrictEqual([[ada.userId], []])
    await expect(create('999999', '1e0')).rejects.toThrow('participantIds[1]: must be the id of a user')
  })

  it('needs a name, a customer, a value and a currency only', async () => {
    const { createProject } = await createProjectTest()
    expect(await createProject()).toMatchObject({
      description: '',
      replyDate: null,
      products: [],
      participants: [],
      documentFileIds: [],
    })
  })

  it('needs the permission `project.create`', async () => {
    const { countersign, customer, user } = await createProjectTest()
    const caller = await user('project.read', 'project.update', 'project.approve', 'project.delete')
    const attempt = countersign.projects.create({ name: 'x', customerId: customer.id, contractValue: 1, currency: 'EUR', caller })
    await expect(attempt).rejects.toThrow(Forbidden)
  })

  it('numbers codes by the year in UTC', async () => {
    const { createProject, clock } = await createProjectTest()
    const codes = [await createProject(), await createProject()]
    clock.set(Date.parse('2026-12-31T23:59:59.999Z'))
    codes.push(await createProject())
    clock.advance(1)
    codes.push(await createProject())
    expect(codes.map(({ uniqueCode }) => uniqueCode)).toStrictEqual([
      'PRJ-2026-000001',
      'PRJ-2026-000002',
      'PRJ-2026-000003',
      'PRJ-2027-000001',
    ])
  })

  it('gives concurrent projects different codes, and never the code of a deleted project', async () => {
    const { createProject, countersign } = await createProjectTest()
    const created = await atOnce(20, () => createProject())
    for (const { uniqueCode } of created) await countersign.projects.remove({ uniqueCode, caller: 'admin' })
    const codes = [...created, ...(await atOnce(20, () => createProject()))].map(({ uniqueCode }) => uniqueCode)
    expect(new Set(codes).size).toBe(40)
    expect([...codes].sort().at(-1)).toBe('PRJ-2026-000040')
  })

  it('uses the codes of the host, and refuses a code that the host returned before', async () => {
    const { createProject } = await createProjectTest({
      options: { projectCode: ({ year, number }) => `${year}-${Math.min(number, 2)}` },
    })
    expect([(await createProject()).uniqueCode, (await createProject()).uniqueCode]).toStrictEqual(['2026-1', '2026-2'])
    await expect(createProject()).rejects.toThrow(ProjectCodeTaken)
  })

  it.each([
    '',
    '.',
    '..',
    'P/2026/1',
    'P\\1',
    'P\0',
    'P\n1',
    '\ud800',
    'P'.repeat(256),
    7,
    undefined,
    null,
    Promise.resolve('P1'),
  ])('refuses an unusable code of the host: %j', async (code) => {
    const codes: unknown[] = [code, 'P1']
    const numbers: number[] = []
    const projectCode = ({ number }: { number: number }) => {
      numbers.push(number)
      return codes.shift() as string
    }
    const { createProject, countersign } = await createProjectTest({ options: { projectCode } })
    const mistake = await createProject().catch((error: unknown) => error)
    expect(mistake).toBeInstanceOf(ProjectCodeMistake)
    expect(mistake).toMatchObject({ message: expect.stringMatching(/^the option projectCode must give text of 1 to 255/) })
    expect((await countersign.projects.list({ caller: 'admin' })).total).toBe(0)
    expect(await createProject()).toMatchObject({ uniqueCode: 'P1' })
    expect(numbers).toStrictEqual([1, 1])
  })

  it.each([
    [{ customerId: 'nobody' }, { customerId: 'must be the id of a customer' }],
    [{ participantIds: ['1', '999999'] }, { 'participantIds[1]': 'must be the id of a user' }],
    [{ participantIds: ['1e0'] }, { 'participantIds[0]': 'must be the id of a user' }],
    [{ participantIds: ['0'] }, { 'participantIds[0]': 'must be the id of a user' }],
    [{ participantIds: ['01'] }, { 'participantIds[0]': 'must be the id of a user' }],
    [{ participantIds: ['x'.repeat(255)] }, { 'participantIds[0]': 'must be the id of a user' }],
    [{ name: '' }, { name: expect.stringContaining('must be text of 1 to 255 characters') }],
    [{ contractValue: -1 }, { contractValue: 'must be a number of at least 0' }],
    [{ contractValue: Number.POSITIVE_INFINITY }, { contractValue: 'must be a number of at least 0' }],
    [{ description: 'x'.repeat(20_001) }, { description: expect.stringContaining('must be text') }],
    [{ documentFileIds: ['file-1', ''] }, { 'documentFileIds[1]': expect.stringMatching(/^must be/) }],
    [{ products: ['OS'] }, { 'products[0]': expect.stringMatching(/^must be/) }],
    [{ products: [{ ...software, name: undefined }] }, { 'products[0].name': expect.stringMatching(/^must be/) }],
    [{ products: [{ ...software, attributes: [] }] }, { 'products[0].attributes': expect.stringMatching(/^must be/) }],
    [{ currency: 'eur' }, { currency: 'must be a currency code of three capital letters' }],
  ])('is refused with a message for each field: %j', async (input, fields) => {
    const { createProject } = await createProjectTest()
    const refusal = await createProject(input as object).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Invalid)
    expect(refusal).toMatchObject({ fields })
  })

  it('stores nothing, and uses up no number, if a product is refused', async () => {
    const { createProject, storage } = await createProjectTest()
    const bad = { ...software, attributes: { ...software.attributes, version: 'x' } }
    await expect(createProject({ products: [software, bad] })).rejects.toThrow(ProductAttributesRefused)
    const list = { filters: {}, needle: undefined, sort: 'name', direction: 'asc', offset: 0, limit: 10 } as const
    expect((await storage.projects.projects.list(list)).total).toBe(0)
    expect((await createProject()).uniqueCode).toBe('PRJ-2026-000001')
  })

  it('uses as many statements for a hundred products and participants as for one', async () => {
    const test = await createProjectTest()
    const users = await atOnce(100, () => test.user())
    const { projects, ...stores } = test.storage
    const spies = [...Object.values(stores), ...Object.values(projects)]
      .filter((store) => typeof store === 'object')
      .flatMap((store) => {
        const methods = Object.entries(store).flatMap(([name, member]) => (typeof member === 'function' ? [name] : []))
        return methods.map((method) => vi.spyOn(store as Record<string, () => unknown>, method))
      })
    const callsOf = async (count: number) => {
      for (const spy of spies) spy.mockClear()
      await test.createProject({
        products: Array.from({ length: count }, () => software),
        participantIds: users.slice(0, count).map(({ userId }) => String(userId)),
      })
      return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
    }
    await callsOf(1)
    expect(await callsOf(100)).toBe(await callsOf(1))
  })
})
