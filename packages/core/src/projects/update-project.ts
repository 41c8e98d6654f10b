import type { Checked } from '@countersign/contract'
import { type Actor, requireRight } from '../auth/actor.ts'
import type { Deps } from '../deps.ts'
import { Invalid } from '../errors.ts'
import type { Options } from '../options.ts'
import { changeProject } from './change-project.ts'
import { APPROVED, newProjectState, type ProjectDetail } from './project.ts'

/** What the rules themselves give a project must be sayable, whatever the host lists. */
const allowedStatuses = ({ projectStatuses }: Pick<Options, 'projectStatuses'>): ReadonlySet<string> | 'any' =>
  projectStatuses === 'any' ? 'any' : new Set([newProjectState.status, APPROVED, ...projectStatuses])

/** Changes the members that are given. @throws Forbidden, Invalid for a status that the host does not know, ProjectNotFound */
export const updateProject = async (
  deps: Pick<Deps, 'storage' | 'clock' | 'options'>,
  input: Checked<'projects.update'> & { readonly actor: Actor },
): Promise<ProjectDetail> => {
  const { actor, uniqueCode, name, contractValue, status, progress } = input
  const description = input.description === null ? '' : input.description
  requireRight(actor, 'project.update')
  const allowed = allowedStatuses(deps.options)
  if (status !== undefined && allowed !== 'any' && !allowed.has(status)) {
    throw new Invalid({ status: `must be one of ${[...allowed].join(', ')}` })
  }
  const given = { name, contractValue, description, status, progress }
  const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return changeProject(deps, actor, uniqueCode, change)
}
