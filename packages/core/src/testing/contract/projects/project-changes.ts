import { describe, expect, it } from 'vitest'
import type { ProjectChange } from '../../../projects/records/project.ts'
import type { FullStorage } from '../../../storage.ts'
import { aProduct } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenProject } from '../given.ts'
import { totalOf } from './expected-list.ts'

const later = clockStart + 1234

export const projectChangesContract = (storage: () => FullStorage): void => {
  const change = (uniqueCode: string, what: ProjectChange) =>
    storage().transaction((tx) => tx.projects.projects.change(uniqueCode, what, later))
  const remove = (uniqueCode: string) => storage().transaction((tx) => tx.projects.projects.remove(uniqueCode, null, later))

  describe('changing a project', () => {
    it('returns to each of concurrent callers the project after their own change', async () => {
      const { uniqueCode } = await givenProject(storage())
      const names = Array.from({ length: 20 }, (_, index) => `name ${index}`)
      const changed = await Promise.all(names.map((name) => change(uniqueCode, { name })))
      expect(changed.map((project) => project?.name)).toStrictEqual(names)
    })

    it('calls the check with the current project, and changes nothing if the check throws', async () => {
      const project = await givenProject(storage(), { description: 'Of brass', products: [aProduct()] })
      const { products: _, participantIds: __, documentFileIds: ___, ...state } = project
      const before = await storage().projects.projects.byCode(project.uniqueCode)
      const shown: unknown[] = []
      const refusing = (current: unknown) => {
        shown.push(current)
        throw new Error('not like this')
      }
      const attempt = storage().transaction((tx) =>
        tx.projects.projects.change(project.uniqueCode, { name: 'x', status: 'lost' }, later, refusing),
      )
      await expect(attempt).rejects.toThrow('not like this')
      expect(shown).toStrictEqual([state])
      expect(await storage().projects.projects.byCode(project.uniqueCode)).toStrictEqual(before)
      expect(await totalOf(storage(), { customerId: project.customerId, status: 'lost' })).toBe(0)
    })

    it('allows no concurrent change between a check and its change', async () => {
      const { uniqueCode } = await givenProject(storage(), { contractValue: 0 })
      const takeOnce = (by: number) =>
        storage()
          .transaction((tx) =>
            tx.projects.projects.change(uniqueCode, { contractValue: by, status: 'taken' }, later, ({ status }) => {
              if (status === 'taken') throw new Error('too late')
            }),
          )
          .then(
            (project) => project?.contractValue,
            () => 'refused',
          )
      const outcomes = await atOnce(20, (index) => takeOnce(index + 1))
      expect(tally(outcomes, 'refused')).toBe(19)
      const winner = outcomes.find((outcome) => outcome !== 'refused')
      expect(await storage().projects.projects.byCode(uniqueCode)).toMatchObject({ contractValue: winner, status: 'taken' })
    })

    it('keeps all of several concurrent changes of different fields', async () => {
      const { uniqueCode } = await givenProject(storage())
      const changes: ProjectChange[] = [
        { name: 'x' },
        { contractValue: 7 },
        { description: 'y' },
        { status: 'z' },
        { progress: 'bidding' },
      ]
      await Promise.all(changes.map((what) => change(uniqueCode, what)))
      expect(await storage().projects.projects.byCode(uniqueCode)).toMatchObject(Object.assign({}, ...changes))
    })
  })

  describe('the detail of a project', () => {
    it('is returned to the author of a change, even if the project was removed meanwhile', async () => {
      const { uniqueCode } = await givenProject(storage(), { products: [aProduct()] })
      const changed = await change(uniqueCode, { status: 'approved' })
      const then = await storage().projects.projects.byCode(uniqueCode)
      await remove(uniqueCode)
      if (changed === undefined) throw new Error('it was not changed')
      expect(await storage().projects.projects.detail(changed)).toStrictEqual(then)
    })
  })

  describe('removing a project', () => {
    it('succeeds for exactly one of concurrent callers', async () => {
      const { uniqueCode } = await givenProject(storage())
      expect(tally(await atOnce(20, () => remove(uniqueCode)), true)).toBe(1)
    })
  })
}
