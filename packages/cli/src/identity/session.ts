import type { ListedSession } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import { addListOptions, type ListOptions, nextPage, toListAll } from '../shared/list-options.ts'
import { table } from '../shared/listing.ts'
import type { Flags, Texts } from '../shared/option-values.ts'
import { withAllIsoTimestamps, withIsoTimestamps } from '../shared/output.ts'
import { describeBound } from './describe-user.ts'

/** Returns how a user has logged in, such as `password` or `host (oidc, opened by shop)`. */
const loginOf = ({ authMethod, host, tenants }: Pick<ListedSession, 'authMethod' | 'host' | 'tenants'>): string => {
  const by = host?.openedBy == null ? '' : `, opened by ${host.openedBy}`
  return `${authMethod}${host === null ? '' : ` (${host.method}${by})`}${describeBound(tenants)}`
}

const toRow = (session: ListedSession, ended: boolean) => {
  const iso = withIsoTimestamps(session)
  const end = { ended: iso.endedAt, reason: iso.endReason }
  return {
    id: iso.id,
    'logged in by': loginOf(session),
    device: iso.deviceId,
    user: iso.email,
    address: iso.address,
    'user agent': iso.userAgent,
    opened: iso.createdAt,
    'last used': iso.lastUsedAt,
    ...(ended ? end : { 'ends by': iso.refreshExpiresAt }),
  }
}

export const addSessionCommands = (program: CliCommand): void => {
  const session = program.command('session').description('List and revoke sessions')

  addListOptions(
    session.add('list', 'list the live sessions of all users, newest first, with the address and user agent of each login'),
    'sessions',
  )
    .option('--ended', 'list the sessions that were ended instead')
    .option('--opened-by <service>', 'only sessions that this service opened for users whom it had signed in')
    .example('countersign session list --user ada@example.com')
    .use(async ({ sessions }, { ended = false, openedBy, ...options }: ListOptions & Flags<'ended'> & Texts<'openedBy'>) => {
      const page = await sessions.listAll({ ...toListAll(options), ended, openedBy })
      const empty = ended ? 'There are no ended sessions.' : 'There are no live sessions.'
      const unopened = page.items.filter(({ clientOpened }) => !clientOpened).length
      const warnings =
        unopened === 0
          ? []
          : [`${unopened} addresses cannot be decrypted: \`countersign doctor\` names the keys that are missing`]
      const rows = page.items.map((one) => toRow(one, ended))
      return {
        json: page.items.map(withAllIsoTimestamps),
        text: table(rows, empty),
        warnings: [...warnings, ...nextPage(page)],
      }
    })

  session
    .add('revoke', 'end a session; every server refuses its access tokens within a second')
    .argument('<id>', 'the id of the session')
    .example('countersign session revoke 0b7e9a58-3d0f-4b43-9f1e-6f4f1f6f2a11')
    .use(async ({ sessions }, id: string) => {
      const ended = await sessions.revoke({ id })
      return { json: withAllIsoTimestamps(ended), text: `Session ${ended.id} has ended` }
    })
}
