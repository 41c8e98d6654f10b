import type { Checked } from '@countersign/contract'
import { type CallerWithPermissions, requireRight } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { Invalid } from '../../shared/errors.ts'
import { pick } from '../../shared/pick.ts'
import { orderedUuid, randomUuid } from '../../shared/random.ts'
import type { ProjectDeps, ProjectStorage } from '../deps.ts'
import { newProjectState, type ProductChecker, type ProjectDetail } from '../records/project.ts'
import { codeYear, requireProjectCode } from '../records/project-code.ts'
import { ProjectCodeTaken } from './errors.ts'
import { mayReadProjects, shownProject } from './shown-project.ts'

const USER_ID = /^[1-9]\d{0,14}$/

type CreateDeps = ProjectDeps & { readonly checkProducts: ProductChecker }

export type NewProjectOfCaller = Checked<'projects.create'> & { readonly caller: CallerWithPermissions }

/**
 * Creates a project with its products and participants in one transaction, with the next code of the year.
 * @throws InvalidAccessToken, Forbidden, ProjectCodeTaken, ProjectCodeMistake, Invalid also for refused products
 * @example await countersign.projects.create({ caller, name: 'Website', customerId, contractValue: 12500, currency: 'EUR' })
 */
export async function createProject(deps: CreateDeps, input: NewProjectOfCaller): Promise<ProjectDetail> {
  const { storage, clock, random, options, checkProducts } = deps
  const { caller, customerId, description = '', replyDate, products = [], participantIds = [], documentFileIds = [] } = input
  requireRight(caller, 'project.create')
  if ((await storage.projects.customers.byId(customerId)) === undefined) {
    throw new Invalid({ customerId: 'must be the id of a customer' })
  }
  const participants = await findParticipants(deps, caller, participantIds)
  const schemaVersions = await checkProducts(products)

  const now = clock.now()
  const year = codeYear(now)
  const state = {
    ...newProjectState,
    ...pick(input, ['name', 'contractValue', 'currency', 'customerId']),
    id: orderedUuid(random, now),
    description,
    creatorId: caller.userId,
    replyDate: replyDate === undefined ? null : Date.parse(replyDate),
    createdAt: now,
    updatedAt: now,
  }
  const parts = {
    products: products.map(({ description: about = '', ...product }, index) => ({
      ...product,
      id: randomUuid(random),
      description: about,
      schemaVersion: schemaVersions[index] as string,
    })),
    participantIds: participants,
    documentFileIds,
  }
  const makeCode = (number: number) => requireProjectCode(options.projectCode({ year, number }))
  const uniqueCode = await storage.projects.projects.create({ ...state, ...parts }, year, makeCode, caller.sessionId)
  if (uniqueCode === false) throw new InvalidAccessToken()
  if (uniqueCode === undefined) throw new ProjectCodeTaken()
  return shownProject(caller, await storage.projects.projects.detail({ ...state, uniqueCode }))
}

/**
 * Returns the ids of existing users among the texts, each once. Unknown ids are an error only for a caller who may read projects,
 * so that others cannot find out which users exist. @throws Invalid naming the first text that is not a user id, or not an existing
 * one
 */
const findParticipants = async ({ storage }: ProjectStorage, caller: CallerWithPermissions, texts: readonly string[]) => {
  const wanted = texts.map((text) => (USER_ID.test(text) ? Number(text) : undefined))
  const ids = [...new Set(wanted.filter((id) => id !== undefined))]
  const known = new Set((await storage.users.list({ ids, limit: 1001 })).map(({ id }) => id))
  const mayKnow = mayReadProjects(caller)
  const bad = wanted.findIndex((id) => id === undefined || (mayKnow && !known.has(id)))
  if (bad !== -1) throw new Invalid({ [`participantIds[${bad}]`]: 'must be the id of a user' })
  return ids.filter((id) => known.has(id))
}
