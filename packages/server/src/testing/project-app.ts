import type { Input, Output } from '@countersign/contract'
import { createTestUser } from '@countersign/core/testing'
import { type SignedIn, signIn } from './sign-in.ts'
import { createTestApp, type TestApp, type TestAppOptions } from './test-app.ts'

export type FullProject = Output<'projects.get'>['data']

/** An app with a customer, and a user with every project permission. */
export interface ProjectApp extends TestApp, SignedIn {
  readonly customerId: string
  /** Returns the body of a new project, with the given members replaced. */
  body(given?: Partial<Input<'projects.create'>>): Input<'projects.create'>
  create(given?: Partial<Input<'projects.create'>>): Promise<FullProject>
  /** Signs in another user with exactly these permissions. */
  signInWith(...permissions: readonly string[]): Promise<SignedIn>
}

export const createProjectApp = async (options: TestAppOptions = {}): Promise<ProjectApp> => {
  const test = await createTestApp(options)
  const signInWith = async (...permissions: readonly string[]) => signIn(test, await createTestUser(test, { permissions }))
  const { id: customerId } = await test.countersign.customers.create({ name: 'ACME GmbH', email: 'office@acme.test' })
  const signedIn = await signInWith('project.*')
  const body: ProjectApp['body'] = (given) => ({ name: 'Bridge', customerId, contractValue: 1000, currency: 'EUR', ...given })
  return {
    ...test,
    ...signedIn,
    customerId,
    body,
    create: async (given) => (await test.ask('projects.create', body(given), { token: signedIn.token })).data,
    signInWith,
  }
}
