import { describe, expect, it } from 'vitest'
import type { NewProject } from '../../../projects/records/project.ts'
import type { AllStores, FullStorage } from '../../../storage.ts'
import { aProduct, aProject } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenCustomer, givenProject, givenSession, givenUser } from '../given.ts'
import { totalOf } from './expected-list.ts'

const later = clockStart + 1234

export const projectsContract = (storage: () => FullStorage): void => {
  const remove = (uniqueCode: string, by: number | null = null) =>
    storage().transaction((tx) => tx.projects.projects.remove(uniqueCode, by, later))
  const create = (project: NewProject) =>
    storage().transaction((tx) => tx.projects.projects.create(project, 1, () => project.uniqueCode))
  const totalOfCustomer = (customerId: string) => totalOf(storage(), { customerId })

  describe('a project', () => {
    it('is returned as it was created, with everything that belongs to it', async () => {
      const customer = await givenCustomer(storage())
      const [creator, ada, grace] = [await givenUser(storage()), await givenUser(storage()), await givenUser(storage())]
      const products = [aProduct({ name: 'first' }), aProduct({ name: 'second', description: '' })]
      const project = await givenProject(storage(), {
        customerId: customer.id,
        creatorId: creator.id,
        description: 'Of brass',
        replyDate: later,
        products,
        participantIds: [grace.id, ada.id],
        documentFileIds: ['file-2', 'file-1'],
      })
      const contact = ({ id, name, email }: typeof ada) => ({ id, name, email })
      const { participantIds: _, ...members } = project
      expect(await storage().projects.projects.byCode(project.uniqueCode)).toStrictEqual({
        ...members,
        customer: { id: customer.id, name: customer.name, email: customer.email },
        creator: contact(creator),
        participants: [contact(grace), contact(ada)],
        tasks: [],
      })
    })

    it('is listed for every person who created it, takes part in it or deleted it, oldest first', async () => {
      const [ada, grace] = [await givenUser(storage()), await givenUser(storage())]
      const second = await givenProject(storage(), { creatorId: ada.id, participantIds: [grace.id, ada.id], createdAt: later })
      const first = await givenProject(storage(), { participantIds: [grace.id], createdAt: clockStart })
      await givenProject(storage())
      expect(await remove(first.uniqueCode, ada.id)).toBe(true)
      const [one, other] = [
        { uniqueCode: first.uniqueCode, createdAt: clockStart, removedAt: later },
        { uniqueCode: second.uniqueCode, createdAt: later, removedAt: null },
      ]
      const { ofPerson } = storage().projects.projects
      expect(await ofPerson(ada.id)).toStrictEqual([
        { ...one, roles: ['remover'] },
        { ...other, roles: ['creator', 'participant'] },
      ])
      expect(await ofPerson(grace.id)).toStrictEqual([
        { ...one, roles: ['participant'] },
        { ...other, roles: ['participant'] },
      ])
    })

    it.each([0, 0.1, 1 / 3, 5e-324, 2 ** 53 + 2, 1e21, Number.MAX_VALUE, 12345678.9])(
      'stores this contract value exactly: %d',
      async (contractValue) => {
        const { uniqueCode } = await givenProject(storage(), { contractValue })
        expect((await storage().projects.projects.byCode(uniqueCode))?.contractValue).toBe(contractValue)
      },
    )

    it('stores any JSON as attributes, also with names that are special in a database', async () => {
      const attributes = {
        '': { "it's": ['a', 1, 1.5, true, null, {}] },
        'a.b[0].*': '$.a',
        constructor: { toString: 1 },
        'nul\u0000': '\u0000\uD800',
        "'; drop table products; --": [[[]]],
      }
      const products = [aProduct({ attributes })]
      // Strict equality would treat a member named `constructor` as another type.
      const { uniqueCode } = await givenProject(storage(), { products })
      expect((await storage().projects.projects.byCode(uniqueCode))?.products).toEqual(products)
    })

    it('is found by its exact code, without wildcards and in the same case', async () => {
      const { uniqueCode } = await givenProject(storage())
      for (const other of [uniqueCode.toLowerCase(), `${uniqueCode} `, `${uniqueCode.slice(0, -1)}_`, '%', '']) {
        expect(await storage().projects.projects.byCode(other)).toBeUndefined()
      }
    })

    it('is not created when another project has the code, also a removed one, and leaves no rows', async () => {
      const first = await givenProject(storage(), { name: 'first' })
      const again = aProject({ ...first, id: aProject(first).id, name: 'again', products: [aProduct()] })
      expect(await create(again)).toBeUndefined()
      expect(await storage().projects.projects.byCode(first.uniqueCode)).toMatchObject({ name: 'first', products: [] })
      await remove(first.uniqueCode)
      expect(await create(again)).toBeUndefined()
      expect(await storage().projects.projects.byCode(first.uniqueCode)).toBeUndefined()
      expect(await totalOfCustomer(first.customerId)).toBe(0)
    })

    it('is created once by concurrent callers with the same code', async () => {
      const [{ id: customerId }, { id: creatorId }] = [await givenCustomer(storage()), await givenUser(storage())]
      const { uniqueCode } = aProject({ customerId, creatorId })
      const outcomes = await atOnce(20, () => create(aProject({ customerId, creatorId, uniqueCode })))
      expect(tally(outcomes, uniqueCode)).toBe(1)
      expect(await totalOfCustomer(customerId)).toBe(1)
    })
  })

  describe('numbers of projects', () => {
    /** Returns a new year for each test. */
    const aYear = () => 100_000 + Math.floor(Math.random() * 2_000_000_000)

    const givenOwners = async () => ({
      customerId: (await givenCustomer(storage())).id,
      creatorId: (await givenUser(storage())).id,
    })
    type Owners = Awaited<ReturnType<typeof givenOwners>>

    /** Creates a project, and returns its code: the year and the number. */
    const createIn = (year: number, owners: Owners, stores: AllStores = storage()) => {
      const { uniqueCode: _, ...project } = aProject(owners)
      return stores.projects.projects.create(project, year, (number) => `${year}:${number}`)
    }

    it('count from 1 in each year', async () => {
      const owners = await givenOwners()
      const [year, other] = [aYear(), aYear()]
      const codes = [year, year, other, year].map((one) => () => createIn(one, owners))
      const created: unknown[] = []
      for (const create of codes) created.push(await create())
      expect(created).toStrictEqual([`${year}:1`, `${year}:2`, `${other}:1`, `${year}:3`])
      expect(await totalOfCustomer(owners.customerId)).toBe(4)
    })

    it('are different for concurrent callers, and none is skipped', async () => {
      const owners = await givenOwners()
      const year = aYear()
      const codes = await atOnce(50, () => createIn(year, owners))
      expect(new Set(codes)).toStrictEqual(new Set(Array.from({ length: 50 }, (_, index) => `${year}:${index + 1}`)))
      expect(await totalOfCustomer(owners.customerId)).toBe(50)
    })

    it('never become the code of a second project', async () => {
      const owners = await givenOwners()
      const { uniqueCode } = await givenProject(storage(), owners)
      const { uniqueCode: _, ...project } = aProject(owners)
      const create = () => storage().projects.projects.create(project, aYear(), () => uniqueCode)
      expect(await create()).toBeUndefined()
      expect(await totalOfCustomer(owners.customerId)).toBe(1)
    })

    it('are not used up in a session that has ended, and no project is added', async () => {
      const owners = await givenOwners()
      const year = aYear()
      const session = await givenSession(storage(), { userId: owners.creatorId })
      const create = () => {
        const { uniqueCode: _, ...project } = aProject(owners)
        return storage().projects.projects.create(project, year, (number) => `${year}:${number}`, session.id)
      }
      expect(await create()).toBe(`${year}:1`)
      await storage().sessions.end(session.id, 'logout', later)
      expect(await create()).toBe(false)
      expect(await totalOfCustomer(owners.customerId)).toBe(1)
    })
  })
}
