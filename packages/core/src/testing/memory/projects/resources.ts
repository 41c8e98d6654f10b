import type { Resource } from '../../../projects/resources/resource.ts'
import type { ResourceStore } from '../../../projects/resources/store.ts'
import type { Run } from '../tables.ts'
import { commitStaged, discardStaged, stageEntries } from './imports.ts'
import { visibleProject } from './projects.ts'

const keyOf = ({ projectId, type, externalId }: Pick<Resource, 'projectId' | 'type' | 'externalId'>): string =>
  `${projectId}\0${type}\0${externalId}`

export const memoryResources = (run: Run): ResourceStore => ({
  stage: (importId, resources, now) =>
    run(({ stagedResources }) => stageEntries(stagedResources, keyOf, { importId, entries: resources, now })),
  commitImport: (importId) => run(({ stagedResources, resources }) => commitStaged(stagedResources, resources, keyOf, importId)),
  discardImport: (importId) =>
    run(({ stagedResources }) => {
      discardStaged(stagedResources, importId)
    }),
  counts: (uniqueCode) =>
    run((tables) => {
      const project = visibleProject(tables, uniqueCode)
      if (project === undefined) return undefined
      const ofProject = [...tables.resources.values()].filter(({ projectId }) => projectId === project.id)
      const groups = Map.groupBy(ofProject, ({ type, status }) => `${type}\0${status}`)
      return [...groups.values()].flatMap(([first, ...others]) =>
        first === undefined ? [] : [{ type: first.type, status: first.status, count: 1 + others.length }],
      )
    }),
})
