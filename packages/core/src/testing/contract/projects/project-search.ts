import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NewProject } from '../../../projects/records/project.ts'
import { fold } from '../../../shared/fold.ts'
import type { FullStorage } from '../../../storage.ts'
import { anyCharacter } from '../../any-character.ts'
import { givenCustomer, givenProject, givenUser } from '../given.ts'
import { hostileTexts } from '../hostile-texts.ts'
import { expectedIds, plainQuery } from './expected-list.ts'

/** Texts of any script that the contract allows. */
const storableText = (maxLength: number) =>
  fc
    .oneof(fc.string({ unit: 'grapheme', maxLength }), fc.string({ unit: anyCharacter, maxLength }))
    .map((text) => text.replace(/[\p{Cc}\p{Cs}]/gu, ''))

export const projectSearchContract = (storage: () => FullStorage): void => {
  describe('lists of projects with a search term', () => {
    it('find exactly the projects whose name or description contains the term, in any case of any script', async () => {
      const { id: customerId } = await givenCustomer(storage())
      const { id: creatorId } = await givenUser(storage())
      const texts = fc.sample(fc.tuple(storableText(20), storableText(60)), { numRuns: 25, seed: 2 })
      const known = ['Straße', 'ΟΔΥΣΣΕΥΣ', 'İstanbul', 'ǅungla', 'ﬁnal', 'кирилл'].map(
        (name) => [name, name.toUpperCase()] as const,
      )
      const projects: NewProject[] = []
      for (const [name, description] of [...texts, ...known]) {
        projects.push(await givenProject(storage(), { customerId, creatorId, name, description }))
      }
      const partOf = fc
        .tuple(fc.constantFrom(...projects), fc.boolean(), fc.nat(20), fc.integer({ min: 1, max: 5 }), fc.boolean())
        .map(([{ name, description }, isName, from, length, isRaised]) => {
          const part = [...(isName ? name : description)].slice(from, from + length).join('')
          return isRaised ? part.toUpperCase() : part
        })
      const property = fc.asyncProperty(fc.oneof(partOf, storableText(3)), async (text) => {
        const needle = fold(text)
        const query = { ...plainQuery, filters: { customerId }, needle: needle === '' ? undefined : needle }
        const page = await storage().projects.projects.list(query)
        const all = expectedIds(projects, query)
        expect(page.total).toBe(all.length)
        expect(page.projects.map(({ id }) => id)).toStrictEqual(all)
      })
      await fc.assert(property, { numRuns: 60 })
    })

    it.each(hostileTexts)('use no character of this text as a wildcard: %j', async (text) => {
      const { id: customerId } = await givenCustomer(storage())
      const project = await givenProject(storage(), { customerId, name: `<${text}>` })
      await givenProject(storage(), { customerId, name: 'something else' })
      const query = { ...plainQuery, filters: { customerId }, needle: fold(`<${text}>`) }
      expect(await storage().projects.projects.list(query)).toMatchObject({ total: 1, projects: [{ id: project.id }] })
    })
  })
}
