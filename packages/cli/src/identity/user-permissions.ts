import type { UserProfile } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import { type As, asOption, type GivenApproval, withApproval } from '../shared/with-approval.ts'
import { changed } from './describe-user.ts'
import { unknownPermissions } from './unknown-permissions.ts'
import { addUserCommand } from './user-command.ts'

/** Warns of permissions to revoke that the user did not have. */
const notHeld = (before: UserProfile, named: readonly string[]): readonly string[] =>
  named.filter((permission) => !before.permissions.includes(permission)).map((one) => `${before.email} did not hold ${one}`)

const permissionList = (user: UserProfile): string => `${user.email} may now: ${user.permissions.join(', ') || 'nothing'}`

/** The person who grants the permissions, and the approval. Both are given only if the operation needs an approval. */
export const grantedBy = ({ userId, confirmationId }: GivenApproval) => ({
  caller: userId === undefined ? undefined : { userId },
  confirmationId,
})

export const addUserPermissionCommands = (user: CliCommand): void => {
  const example = 'ada@example.com project.read project.update'
  addUserCommand(user, 'grant', 'grant permissions to a user, with immediate effect', example)
    .argument(
      '<permission...>',
      '<resource>.<action>, <resource>.* or *.*; each also with @<tenant>, such as payment.approve@acme',
    )
    .option(...asOption)
    .use(async (countersign, email: string, permissions: readonly string[], { as }: As) => {
      const granted = await withApproval(user.context, countersign, as, (approval) =>
        countersign.users.grant({ email, permissions, ...grantedBy(approval) }),
      )
      return { ...changed(granted, permissionList(granted)), warnings: await unknownPermissions(countersign, permissions) }
    })

  addUserCommand(user, 'revoke', 'revoke permissions of a user, with immediate effect', 'ada@example.com project.update')
    .argument('<permission...>', 'as they were granted')
    .use(async ({ users }, email: string, permissions: readonly string[]) => {
      const before = await users.find({ email })
      const after = await users.revoke({ email, permissions })
      return { ...changed(after, permissionList(after)), warnings: notHeld(before, permissions) }
    })
}
