import { randomUUID } from 'node:crypto'
import type { Input } from '@countersign/contract'
import { createTestCountersign, type TestCountersign, type TestCountersignOverrides } from '@countersign/storage-sqlite/testing'
import type { Caller } from '../src/identity/authentication/caller.ts'
import type { Customer } from '../src/projects/records/customer.ts'
import type { ProjectDetail } from '../src/projects/records/project.ts'

/** The fields of a caller that projects need. */
export type ProjectCaller = Pick<Caller, 'userId' | 'permissions'>

/** A `TestCountersign` with a customer, and functions that create users and projects. */
export interface ProjectTest extends TestCountersign {
  readonly customer: Customer
  /** Creates a user with exactly these permissions. */
  user(...permissions: readonly string[]): Promise<ProjectCaller>
  /** Creates a project. `overrides` replaces fields of its input. */
  createProject(overrides?: Partial<Input<'projects.create'>>): Promise<ProjectDetail>
}

export const createProjectTest = async (overrides: TestCountersignOverrides = {}): Promise<ProjectTest> => {
  const test = await createTestCountersign(overrides)
  const { countersign } = test
  const customer = await countersign.customers.create({ name: 'Mills & Co', email: 'mills@example.test' })
  const user = async (...permissions: readonly string[]): Promise<ProjectCaller> => ({
    userId: (await countersign.users.create({ email: `user-${randomUUID()}@example.test`, permissions })).id,
    permissions,
  })
  const caller = await user('project.create', 'project.read')
  return {
    ...test,
    customer,
    user,
    createProject: (input = {}) =>
      countersign.projects.create({
        name: 'A mill',
        customerId: customer.id,
        contractValue: 1000,
        currency: 'EUR',
        ...input,
        caller,
      }),
  }
}
