import type { UserProfile } from '@countersign/core'
import type { Command } from 'commander'
import { withCountersign } from '../open-database.ts'
import { collect } from '../option-values.ts'
import { type Answer, answering, facts, table, withIsoTimestamps } from '../output.ts'
import { readPassword } from '../read-password.ts'

interface Create {
  readonly email: string
  readonly name?: string
  readonly employeeId?: string
  readonly departmentId?: string
  readonly departmentName?: string
  readonly permission: readonly string[]
}

const toJson = (user: UserProfile) => ({ ...withIsoTimestamps(user), disabled: user.disabledAt !== null })

const toRow = ({ id, email, name, permissions, disabledAt }: UserProfile) => ({
  id,
  email,
  name,
  permissions,
  disabled: disabledAt !== null,
})

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ')

const toFacts = (user: ReturnType<typeof toJson>) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  employee: joined(user.employee.id, user.employee.name),
  department: joined(user.department.id, user.department.name),
  permissions: user.permissions,
  password: user.hasPassword,
  disabled: user.disabledAt ?? false,
  created: user.createdAt,
  changed: user.updatedAt,
})

/** A user after a change: the user for programs, a sentence for people. */
const changed = (user: UserProfile, sentence: string): Answer => ({ json: toJson(user), text: sentence })

const allUsers = (): Promise<readonly UserProfile[]> =>
  withCountersign(async ({ users }) => {
    const all: UserProfile[] = []
    for await (const user of users.list()) all.push(user)
    return all
  })

const permissionList = (user: UserProfile): string => `${user.email} may now: ${user.permissions.join(', ') || 'nothing'}`

/** `countersign user …`: who can log in, and what they may do. */
export const addUserCommands = (program: Command): void => {
  const user = program.command('user').description('Create, list and change users')

  user
    .command('create')
    .description('create a user; the password is read from standard input, or asked for on a terminal')
    .requiredOption('--email <email>', 'unique; the name to log in with')
    .requiredOption('--password-stdin', 'read the password (12 to 128 characters) from standard input')
    .option('--name <name>', 'how people call the user')
    .option('--employee-id <id>', 'id of the user as an employee')
    .option('--department-id <id>', 'id of the department of the user')
    .option('--department-name <name>', 'name of the department of the user')
    .option('--permission <permission>', 'what the user may do, as <resource>.<action>; repeatable', collect, [])
    .addHelpText(
      'after',
      '\nExample:\n  $ printf %s "$PASSWORD" | countersign user create --email ada@example.com --password-stdin --name Ada --permission project.read',
    )
    .action(
      answering(async (options: Create) => {
        const { id, email } = await withCountersign(async ({ users }) =>
          users.create({
            email: options.email,
            password: await readPassword(),
            name: options.name,
            employee: { id: options.employeeId },
            department: { id: options.departmentId, name: options.departmentName },
            permissions: options.permission,
          }),
        )
        return { json: { id, email }, text: `Created user ${id}: ${email}` }
      }),
    )

  user
    .command('list')
    .description('list all users')
    .addHelpText('after', '\nExample:\n  $ countersign user list --json')
    .action(
      answering(async () => {
        const users = await allUsers()
        return { json: users.map(toJson), text: (paint) => table(users.map(toRow), { paint, empty: 'There are no users.' }) }
      }),
    )

  user
    .command('show')
    .description('show a user')
    .argument('<email>', 'the email of the user')
    .addHelpText('after', '\nExample:\n  $ countersign user show ada@example.com')
    .action(
      answering(async (email: string) => {
        const json = toJson(await withCountersign(({ users }) => users.find({ email })))
        return { json, text: (paint) => facts(toFacts(json), paint) }
      }),
    )

  user
    .command('disable')
    .description('shut a user out: no login, and every session ends')
    .argument('<email>', 'the email of the user')
    .addHelpText('after', '\nExample:\n  $ countersign user disable ada@example.com')
    .action(
      answering(async (email: string) => {
        const user = await withCountersign(({ users }) => users.disable({ email }))
        return changed(user, `Disabled ${user.email}; every session of theirs has ended`)
      }),
    )

  user
    .command('enable')
    .description('let a disabled user log in again')
    .argument('<email>', 'the email of the user')
    .addHelpText('after', '\nExample:\n  $ countersign user enable ada@example.com')
    .action(
      answering(async (email: string) => {
        const user = await withCountersign(({ users }) => users.enable({ email }))
        return changed(user, `Enabled ${user.email}`)
      }),
    )

  user
    .command('set-password')
    .description('set the password of a user and end every session opened before')
    .argument('<email>', 'the email of the user')
    .requiredOption('--password-stdin', 'read the password (12 to 128 characters) from standard input')
    .addHelpText(
      'after',
      '\nExample:\n  $ printf %s "$PASSWORD" | countersign user set-password ada@example.com --password-stdin',
    )
    .action(
      answering(async (email: string) => {
        const user = await withCountersign(async ({ users }) => users.setPassword({ email, password: await readPassword() }))
        return changed(user, `Set the password of ${user.email}; every session of theirs has ended`)
      }),
    )

  user
    .command('grant')
    .description('give a user permissions; they hold at once')
    .argument('<email>', 'the email of the user')
    .argument('<permission...>', '<resource>.<action>, <resource>.* or *.*')
    .addHelpText('after', '\nExample:\n  $ countersign user grant ada@example.com project.read project.update')
    .action(
      answering(async (email: string, permissions: readonly string[]) => {
        const user = await withCountersign(({ users }) => users.grant({ email, permissions }))
        return changed(user, permissionList(user))
      }),
    )

  user
    .command('revoke')
    .description('take permissions from a user; they are gone at once')
    .argument('<email>', 'the email of the user')
    .argument('<permission...>', 'as they were granted')
    .addHelpText('after', '\nExample:\n  $ countersign user revoke ada@example.com project.update')
    .action(
      answering(async (email: string, permissions: readonly string[]) => {
        const user = await withCountersign(({ users }) => users.revoke({ email, permissions }))
        return changed(user, permissionList(user))
      }),
    )
}
