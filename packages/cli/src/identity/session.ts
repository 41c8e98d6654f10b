import type { SessionProfile } from '@countersign/core'
import type { Command } from 'commander'
import type { CommandContext } from '../shared/command-context.ts'
import { table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { answering, withIsoTimestamps } from '../shared/output.ts'

const toRow = (session: SessionProfile) => {
  const { id, authMethod, deviceId, address, userAgent, createdAt, lastUsedAt, refreshExpiresAt } = withIsoTimestamps(session)
  return {
    id,
    'logged in by': authMethod,
    device: deviceId,
    address,
    'user agent': userAgent,
    opened: createdAt,
    'last used': lastUsedAt,
    'ends by': refreshExpiresAt,
  }
}

/** `countersign session …`: the live sessions. */
export const addSessionCommands = (program: Command, context: CommandContext): void => {
  const session = program.command('session').description('List and revoke sessions')

  session
    .command('list')
    .description('list the live sessions of a user')
    .requiredOption('--user <email>', 'the email of the user')
    .addHelpText('after', '\nExample:\n  $ countersign session list --user ada@example.com')
    .action(
      answering(context, async ({ user: email }: { readonly user: string }) => {
        const sessions = await withCountersign(context, (countersign) => countersign.sessions.list({ email }))
        return {
          json: sessions.map(withIsoTimestamps),
          text: (screen) => table(sessions.map(toRow), { screen, empty: 'There are no live sessions.' }),
        }
      }),
    )

  session
    .command('revoke')
    .description('end a session; every server refuses its access tokens within a second')
    .argument('<id>', 'the id of the session')
    .addHelpText('after', '\nExample:\n  $ countersign session revoke 0b7e9a58-3d0f-4b43-9f1e-6f4f1f6f2a11')
    .action(
      answering(context, async (id: string) => {
        const ended = await withCountersign(context, (countersign) => countersign.sessions.revoke({ id }))
        return { json: withIsoTimestamps(ended), text: `Session ${ended.id} has ended` }
      }),
    )
}
