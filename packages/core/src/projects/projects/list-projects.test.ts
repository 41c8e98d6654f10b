import { describe, expect, it } from 'vitest'
import { createProjectTest } from '../../../test/create-project-test.ts'
import { Forbidden, type Invalid } from '../../shared/errors.ts'

const setUp = async () => {
  const test = await createProjectTest()
  for (const name of ['Alpha', 'beta', 'Straße', 'Gamma_100%']) {
    await test.createProject({ name, description: `About ${name}` })
    test.clock.advance(1000)
  }
  const { projects } = test.countersign
  const names = async (query: Omit<Parameters<typeof projects.list>[0], 'caller'>) =>
    (await projects.list({ ...query, caller: 'admin' })).projects.map(({ name }) => name)
  return { ...test, projects, names }
}

describe('listing projects', () => {
  it('returns the ten newest by default', async () => {
    const { projects, createProject, clock } = await setUp()
    for (let count = 0; count < 8; count += 1) {
      clock.advance(1)
      await createProject({ name: `more ${count}` })
    }
    const list = await projects.list({ caller: 'admin' })
    expect(list).toMatchObject({ page: 1, limit: 10, total: 12 })
    expect(list.projects).toHaveLength(10)
    expect(list.projects[0]).toMatchObject({ name: 'more 7' })
  })

  it('needs the permission to read', async () => {
    const { projects, user } = await setUp()
    await expect(projects.list({ caller: await user('project.create', 'project.update') })).rejects.toThrow(Forbidden)
    expect(await projects.list({ caller: await user('project.read') })).toMatchObject({ total: 4 })
    expect(await projects.list({ caller: await user('*.*') })).toMatchObject({ total: 4 })
  })

  it('returns page after page, and an empty page past the end', async () => {
    const { names, projects } = await setUp()
    const pages = [await names({ page: 1, limit: 3 }), await names({ page: '2', limit: '3' }), await names({ page: 3, limit: 3 })]
    expect(pages).toStrictEqual([['Gamma_100%', 'Straße', 'beta'], ['Alpha'], []])
    for (const page of [1_000_000, 90_071_992_547_410, Number.MAX_SAFE_INTEGER]) {
      expect(await projects.list({ page, limit: 100, caller: 'admin' })).toMatchObject({ total: 4, projects: [], page })
    }
    const beyond = await projects.list({ page: '9'.repeat(400), caller: 'admin' })
    expect(beyond).toMatchObject({ total: 4, projects: [], page: Number.MAX_SAFE_INTEGER })
  })

  it.each(['created_at', 'createdAt'] as const)('sorts by %s in either spelling', async (sortBy) => {
    const { names } = await setUp()
    expect(await names({ sortBy, sortOrder: 'asc' })).toStrictEqual(['Alpha', 'beta', 'Straße', 'Gamma_100%'])
  })

  it('filters by status, progress and customer', async () => {
    const { names, projects, countersign, customer } = await setUp()
    const [{ uniqueCode } = { uniqueCode: '' }] = (await projects.list({ search: 'beta', caller: 'admin' })).projects
    await countersign.projects.approve({ uniqueCode, caller: 'admin' })
    await countersign.projects.setProgress({ uniqueCode, progress: 'delivering', caller: 'admin' })
    expect(await names({ status: 'approved' })).toStrictEqual(['beta'])
    expect(await names({ progress: 'delivering', status: 'approved', customerId: customer.id })).toStrictEqual(['beta'])
    expect(await names({ progress: 'delivering', status: 'pending' })).toStrictEqual([])
    expect(await names({ customerId: 'nobody' })).toStrictEqual([])
    expect(await names({ status: 'unheard of' })).toStrictEqual([])
  })

  it.each([
    ['ALPH', ['Alpha']],
    ['STRASSE', ['Straße']],
    ['about s', ['Straße']],
    ['_100%', ['Gamma_100%']],
    ['%', ['Gamma_100%']],
    ['a_p', []],
    ['"', []],
    ['alpha about', []],
    [' ', ['Gamma_100%', 'Straße', 'beta', 'Alpha']],
    ['', ['Gamma_100%', 'Straße', 'beta', 'Alpha']],
  ])('finds %j in names and descriptions', async (search, found) => {
    expect(await (await setUp()).names({ search })).toStrictEqual(found)
  })

  it('refuses wrong members, and names them', async () => {
    const { projects } = (await createProjectTest()).countersign
    const wrong = { page: 0, limit: 101, search: 'a\u0001b', sortBy: 'id', sortOrder: 'up', progress: 'done', status: '' }
    for (const search of ['x'.repeat(201), 'a\u0001b']) {
      const refusal = await projects.list({ ...(wrong as object), search, caller: 'admin' }).catch((error: unknown) => error)
      expect(Object.keys((refusal as Invalid).fields).sort()).toStrictEqual(Object.keys(wrong).sort())
    }
  })
})
