import type { Input } from '@countersign/contract'
import { errors } from '@countersign/core'
import type { DeviceUser } from './sign-in.ts'
import type { TestApp } from './test-app.ts'

/** Returns the input of a new project, and grants the user every project permission. */
export const exampleProject = async ({ countersign }: TestApp, { user }: DeviceUser): Promise<Input<'projects.create'>> => {
  await countersign.users.grant({ email: user.email, permissions: ['project.*'] }).catch((error: unknown) => {
    if (!(error instanceof errors.NothingToChange)) throw error
  })
  const customer = await countersign.customers.create({ name: 'ACME GmbH', email: 'office@acme.test' })
  return {
    name: 'Bridge',
    customerId: customer.id,
    contractValue: 1000.5,
    currency: 'EUR',
    description: 'Over the river',
    replyDate: '2027-01-31T12:00:00Z',
    documentFileIds: ['file-1'],
    participantIds: [String(user.id)],
    products: [
      {
        name: 'Planner',
        productType: 'software',
        description: 'Plans',
        attributes: {
          name: 'Planner',
          version: '1.2.3',
          licenseType: 'perpetual',
          deployment: { type: 'cloud', platforms: ['linux'] },
        },
      },
    ],
  }
}

/** Creates a project for such a user, and returns its code. */
export const exampleProjectCode = async (test: TestApp, deviceUser: DeviceUser): Promise<string> => {
  const input = await exampleProject(test, deviceUser)
  const caller = { userId: deviceUser.user.id, permissions: ['project.*'] }
  return (await test.countersign.projects.create({ ...input, caller })).uniqueCode
}
