import type { Checked } from '@countersign/contract'
import { type CallerWithPermissions, requireRight } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { Invalid } from '../../shared/errors.ts'
import { orderedUuid, randomUuid } from '../../shared/random.ts'
import type { ProjectDeps, ProjectStorage } from '../deps.ts'
import { newProjectState, type ProductChecker, type ProjectDetail } from '../records/project.ts'
import { codeYear, requireProjectCode } from '../records/project-code.ts'
import { ProjectCodeTaken } from './errors.ts'
import { mayReadProjects, shownProject } from './shown-project.ts'

const USER_ID = /^[1-9]\d{0,14}$/

/**
 * Creates a project with its products and participants in one transaction. The project gets the next code of the year.
 * @throws InvalidAccessToken, Forbidden, ProjectCodeTaken, ProjectCodeMistake
 * @throws Invalid also for products that the schema of their type refuses
 * @example await countersign.projects.create({ caller, name: 'Website', customerId, contractValue: 12500, currency: 'EUR' })
 */
export async function createProject(
  deps: Pick<ProjectDeps, 'storage' | 'clock' | 'random' | 'options'> & { readonly checkProducts: ProductChecker },
  input: Checked<'projects.create'> & { readonly caller: CallerWithPermissions },
): Promise<ProjectDetail> {
  const { storage, clock, random, options, checkProducts } = deps
  requireRight(input.caller, 'project.create')
  const { products = [], participantIds = [], documentFileIds = [] } = input
  if ((await storage.projects.customers.byId(input.customerId)) === undefined) {
    throw new Invalid({ customerId: 'must be the id of a customer' })
  }
  const participants = await findParticipants(deps, input.caller, participantIds)
  const schemaVersions = await checkProducts(products)

  const now = clock.now()
  const year = codeYear(now)
  const state = {
    ...newProjectState,
    id: orderedUuid(random, now),
    name: input.name,
    contractValue: input.contractValue,
    currency: input.currency,
    description: input.description ?? '',
    replyDate: input.replyDate === undefined ? null : Date.parse(input.replyDate),
    customerId: input.customerId,
    creatorId: input.caller.userId,
    createdAt: now,
    updatedAt: now,
  }
  const parts = {
    products: products.map(({ name, productType, description = '', attributes }, index) => ({
      id: randomUuid(random),
      name,
      productType,
      description,
      attributes,
      schemaVersion: schemaVersions[index] as string,
    })),
    participantIds: participants,
    documentFileIds,
  }
  const makeCode = (number: number) => requireProjectCode(options.projectCode({ year, number }))
  const { sessionId } = input.caller
  const uniqueCode = await storage.projects.projects.create({ ...state, ...parts }, year, makeCode, sessionId)
  if (uniqueCode === false) throw new InvalidAccessToken()
  if (uniqueCode === undefined) throw new ProjectCodeTaken()
  return shownProject(input.caller, await storage.projects.projects.detail({ ...state, uniqueCode }))
}

/**
 * Returns the ids of existing users among the texts, each id once. A caller who may read projects gets an error for an unknown
 * id. For other callers, unknown ids are left out, so that those callers cannot find out which users exist.
 *
 * @throws Invalid naming the first text that is not a user id, or not an existing one
 */
const findParticipants = async (
  { storage }: ProjectStorage,
  caller: CallerWithPermissions,
  texts: readonly string[],
): Promise<readonly number[]> => {
  const wanted = texts.map((text) => (USER_ID.test(text) ? Number(text) : undefined))
  const ids = [...new Set(wanted.filter((id) => id !== undefined))]
  const known = new Set((await storage.users.list({ ids, limit: 1001 })).map(({ id }) => id))
  const mayKnow = mayReadProjects(caller)
  const bad = wanted.findIndex((id) => id === undefined || (mayKnow && !known.has(id)))
  if (bad !== -1) throw new Invalid({ [`participantIds[${bad}]`]: 'must be the id of a user' })
  return ids.filter((id) => known.has(id))
}
