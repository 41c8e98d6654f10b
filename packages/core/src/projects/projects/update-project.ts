import type { Checked } from '@countersign/contract'
import { requireRight } from '../../identity/authentication/caller.ts'
import { Invalid } from '../../shared/errors.ts'
import type { ByCaller, GatedChange, ProjectDeps } from '../deps.ts'
import type { ProjectOptions } from '../options.ts'
import { APPROVED, readsAsApproved } from '../records/approved-status.ts'
import { newProjectState, type Project, type ProjectDetail } from '../records/project.ts'
import { changeProject } from './change-project.ts'

/** The fields that never change. */
const fixedMembers = ['currency', 'customerId'] as const

/**
 * Changes the given fields of a project. A change that approves it, or what an approval covers, passes the gate `project.approve`.
 * @throws Forbidden, ProjectNotFound, ConfirmationRequired and the errors of consuming an approval
 * @throws Invalid for a status that is not allowed, and for another `currency` or `customerId` than that of the project
 * @example await countersign.projects.update({ caller, uniqueCode, name: 'New website', contractValue: 15000 })
 */
export async function updateProject(deps: ProjectDeps, input: ByCaller<'projects.update'>): Promise<ProjectDetail> {
  const { caller, uniqueCode, name, contractValue, status, progress, currency, confirmationId } = input
  const description = input.description === null ? '' : input.description
  requireClearStatus(status)
  requireRight(caller, 'project.update')
  const given = { name, contractValue, description, status, progress, currency }
  const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const check = (project: Project): void => {
    requireAllowedStatus(deps.options, status, project)
    requireFixedMembers(input, project)
  }
  return changeProject(deps, { caller, uniqueCode, confirmationId, check }, change)
}

/** Checks that a status is not mistaken for `approved`. @throws Invalid */
const requireClearStatus = (status: string | undefined): void => {
  if (status === undefined || status === APPROVED || !readsAsApproved(status)) return
  throw new Invalid({ status: `must be ${APPROVED} itself, or a text that does not look like it` })
}

/** Checks a new status. A project may keep a status that is no longer in the host's list. @throws Invalid */
const requireAllowedStatus = ({ projectStatuses }: ProjectOptions, status: string | undefined, project: Project): void => {
  if (status === undefined || status === project.status || projectStatuses === 'any') return
  // Use cases set `pending` and `approved`, so these two are always allowed.
  const allowed = new Set([newProjectState.status, APPROVED, ...projectStatuses])
  if (!allowed.has(status)) throw new Invalid({ status: `must be one of ${[...allowed].join(', ')}` })
}

/** Checks that fixed fields have the project's value. @throws Invalid naming each field with another value */
const requireFixedMembers = (given: Checked<'projects.update'>, project: Project): void => {
  const others = fixedMembers.filter((member) => given[member] !== undefined && given[member] !== project[member])
  if (others.length === 0) return
  throw new Invalid(Object.fromEntries(others.map((member) => [member, 'must be that of the project: it cannot be changed'])))
}

/**
 * Approves a project, whatever its status. With the gate `project.approve`, every call needs an approval.
 * @throws Forbidden, ProjectNotFound, ConfirmationRequired and the errors of consuming an approval
 * @example await countersign.projects.approve({ caller, uniqueCode, confirmationId })
 */
export async function approveProject(deps: GatedChange, input: ByCaller<'projects.approve'>): Promise<ProjectDetail> {
  requireRight(input.caller, 'project.approve')
  return changeProject(deps, { ...input, isAlwaysGated: true }, { status: APPROVED })
}

/**
 * Sets the progress of a project. Every stage may follow every other stage. @throws Forbidden, ProjectNotFound
 * @example await countersign.projects.setProgress({ caller, uniqueCode, progress: 'in_production' })
 */
export async function setProgress(deps: GatedChange, input: ByCaller<'projects.setProgress'>): Promise<ProjectDetail> {
  requireRight(input.caller, 'project.update')
  return changeProject(deps, input, { progress: input.progress })
}
