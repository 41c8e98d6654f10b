import type { Countersign, CountUsers, ListUsers, UserProfile } from '@countersign/core'
import { Option } from 'commander'
import type { CliCommand } from '../shared/cli-command.ts'
import { nextPage } from '../shared/list-options.ts'
import { facts, table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { collect, instant, type Texts, wholeNumber } from '../shared/option-values.ts'
import type { Answer } from '../shared/output.ts'
import { type PasswordSource, readPassword, requirePasswordSource } from '../shared/read-password.ts'
import { type As, asOption, withApproval } from '../shared/with-approval.ts'
import { changed, toFacts, toJson, toRow } from './describe-user.ts'
import { unknownPermissions } from './unknown-permissions.ts'
import { addUserCodeCommands, addUserSwitchCommands } from './user-account.ts'
import { addUserCommand } from './user-command.ts'
import { addUserDataCommands } from './user-data.ts'
import { addUserDelegationCommands } from './user-delegation.ts'
import { addUserImportCommand } from './user-import.ts'
import { addUserPermissionCommands, grantedBy } from './user-permissions.ts'
import { addUserWhyCommand } from './user-why.ts'

interface Create extends PasswordSource, As, Texts<'name' | 'employeeId' | 'departmentId' | 'departmentName'> {
  readonly email: string
  readonly permission: readonly string[]
}

interface Filters extends Omit<CountUsers, 'departmentId' | 'noTrustedDevice'> {
  readonly department?: string
  readonly trustedDevice: boolean
}

interface List extends Filters, Pick<ListUsers, 'after' | 'limit'> {
  readonly count?: boolean
}

const toFilter = ({ trustedDevice, department, ...filters }: Filters): CountUsers => ({
  ...filters,
  departmentId: department,
  noTrustedDevice: !trustedDevice,
})

/** Lists users by ascending id. Reads one user more than the limit, which says whether the list goes on. */
const listed = async ({ users }: Countersign, { limit, after = 0, ...filters }: Omit<List, 'count'>): Promise<Answer> => {
  const found: UserProfile[] = []
  const upTo = limit === undefined ? {} : { limit: limit + 1 }
  for await (const user of users.list({ ...toFilter(filters), after, ...upTo })) found.push(user)
  const page = found.slice(0, limit)
  const last = page.at(-1)?.id ?? after
  return {
    json: page.map(toJson),
    text: table(page.map(toRow), 'There are no users.'),
    warnings: nextPage({ next: found.length > page.length ? String(last) : null }),
  }
}

const PASSWORD_STDIN = 'read the password (12 to 128 characters) from standard input; without this option, a terminal asks for it'

export const addUserCommands = (program: CliCommand): void => {
  const user = program.command('user').description('Create, list and change users')

  user
    .add('create', 'create a user; a terminal asks for the password, a script passes it on standard input')
    .requiredOption('--email <email>', 'unique; the user logs in with it')
    .option('--password-stdin', PASSWORD_STDIN)
    .option('--name <name>', 'display name of the user')
    .option('--employee-id <id>', 'employee id of the user')
    .option('--department-id <id>', 'id of the department of the user')
    .option('--department-name <name>', 'name of the department of the user')
    .option(
      '--permission <permission>',
      'a permission of the user, as <resource>.<action> or <resource>.<action>@<tenant>; repeatable',
      collect,
      [],
    )
    .option(...asOption)
    .example(
      'printf %s "$PASSWORD" | countersign user create --email ada@example.com --password-stdin --name Ada --permission project.read',
    )
    .answer(async (options: Create) => {
      requirePasswordSource(options, program.context)
      const { created, warnings } = await withCountersign(program.context, async (countersign) => {
        const given = {
          email: options.email,
          password: await readPassword(program.context),
          name: options.name,
          employee: { id: options.employeeId },
          department: { id: options.departmentId, name: options.departmentName },
          permissions: options.permission,
        }
        const created = await withApproval(program.context, countersign, options.as, (approval) =>
          countersign.users.create({ ...given, ...grantedBy(approval) }),
        )
        return { created, warnings: await unknownPermissions(countersign, options.permission) }
      })
      const { id, email } = created
      return { json: { id, email }, text: `Created user ${id}: ${email}`, warnings }
    })

  addUserImportCommand(user)

  user
    .add('list', 'list the users, the oldest first; all users if no option is given', '--search ada --limit 20')
    .option('--search <text>', 'only users with this text in the email or the name, ignoring case')
    .option('--permission <permission>', 'only users who hold this permission by its name')
    .option('--department <id>', 'only users of the department with this id')
    .option('--disabled', 'only disabled users')
    .option('--locked', 'only users with a locked account')
    .option('--no-trusted-device', 'only users without a device that is trusted now')
    .option('--since <date>', 'only users who were created from this day or time on, in UTC', instant)
    .option('--before <date>', 'only users who were created before this day or time, in UTC', instant)
    .option('--after <id>', 'continue after the user with this id, which the previous page shows', wholeNumber)
    .option('--limit <count>', 'the greatest number of users', wholeNumber)
    .addOption(new Option('--count', 'only the number of users').conflicts(['after', 'limit']))
    .use(async (countersign, { count = false, ...options }: List) => {
      if (!count) return listed(countersign, options)
      const number = await countersign.users.count(toFilter(options))
      return { json: { count: number }, text: String(number) }
    })

  addUserCommand(user, 'show', 'show a user').use(async ({ users }, email: string) => {
    const json = toJson(await users.find({ email }))
    return { json, text: facts(toFacts(json)) }
  })

  addUserWhyCommand(user)

  addUserDataCommands(user)

  addUserSwitchCommands(user, 'disable', 'enable')

  user
    .command('set-password')
    .description('set the password of a user; a terminal asks for it, a script passes it on standard input; every session ends')
    .argument('<user>', 'the email or id of the user')
    .option('--password-stdin', PASSWORD_STDIN)
    .example('printf %s "$PASSWORD" | countersign user set-password ada@example.com --password-stdin')
    .answer(async (email: string, source: PasswordSource) => {
      requirePasswordSource(source, program.context)
      const user = await withCountersign(program.context, async ({ users }) =>
        users.setPassword({ email, password: await readPassword(program.context) }),
      )
      return changed(user, `Set the password of ${user.email}; every session of theirs has ended`)
    })

  addUserCodeCommands(user)
  addUserSwitchCommands(user, 'lock', 'unlock')

  addUserPermissionCommands(user)
  addUserDelegationCommands(user)
}
