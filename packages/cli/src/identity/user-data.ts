import type { CliCommand } from '../shared/cli-command.ts'
import { type Confirmed, confirm, yesOption } from '../shared/confirm.ts'
import { usageError } from '../shared/failures.ts'
import { withCountersign } from '../shared/open-database.ts'
import type { Texts } from '../shared/option-values.ts'
import { printable, withAllIsoTimestamps } from '../shared/output.ts'
import { changed } from './describe-user.ts'
import { addUserCommand } from './user-command.ts'

type Update = Texts<'email' | 'name' | 'employeeId' | 'employeeName' | 'departmentId' | 'departmentName'>

const addUpdateCommand = (user: CliCommand): void => {
  const example = 'ada@example.com --email ada.lovelace@example.com --name "Ada Lovelace"'
  addUserCommand(user, 'update', 'change the profile of a user, with immediate effect', example)
    .option('--email <new-email>', 'the email with which the user logs in from now on')
    .option('--name <name>', 'display name of the user')
    .option('--employee-id <id>', 'employee id of the user')
    .option('--employee-name <name>', 'name of the user as an employee')
    .option('--department-id <id>', 'id of the department of the user')
    .option('--department-name <name>', 'name of the department of the user')
    .answer(async (email: string, given: Update) => {
      if (Object.keys(given).length === 0) {
        throw usageError('give at least one value to change')
      }
      const updated = await withCountersign(user.context, ({ users }) =>
        users.update({
          email,
          newEmail: given.email,
          name: given.name,
          employee: { id: given.employeeId, name: given.employeeName },
          department: { id: given.departmentId, name: given.departmentName },
        }),
      )
      return changed(updated, `Changed ${updated.email}`)
    })
}

const addDeleteCommand = (user: CliCommand): void => {
  const description = "delete a user: erase the person's data, end every session, remove devices and passkeys; cannot be undone"
  addUserCommand(user, 'delete', description, 'ada@example.com --yes')
    .option(...yesOption)
    .use(async ({ users }, email: string, confirmed: Confirmed) => {
      const found = await users.find({ email })
      const warning = `This erases all personal data of ${printable(found.email)}, and cannot be undone.`
      await confirm(user.context, confirmed, { warning, expected: found.email })
      const deleted = await users.delete({ email })
      const { id, sessions, devices, passkeys } = deleted
      const counts = `${sessions} sessions, ${devices} devices and ${passkeys} passkeys are gone`
      return { json: deleted, text: `Deleted user ${id}; ${counts}` }
    })
}

const addExportCommand = (user: CliCommand): void => {
  const description = 'print everything that is kept about a user, as JSON; without password hashes and tokens'
  addUserCommand(user, 'export', description, 'ada@example.com > ada.json')
    .option('--tenant <tenant>', 'of confirmations, requests and permissions only those in this tenant, and no projects')
    .use(async ({ users }, email: string, { tenant }: { readonly tenant?: string }) => {
      const json = withAllIsoTimestamps(await users.export({ email, tenant }))
      return { json, text: JSON.stringify(json, null, 2).split('\n') }
    })
}

export const addUserDataCommands = (user: CliCommand): void => {
  addUpdateCommand(user)
  addDeleteCommand(user)
  addExportCommand(user)
}
