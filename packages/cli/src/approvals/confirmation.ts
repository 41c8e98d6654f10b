import type { ConfirmationRecord } from '@countersign/core'
import { type Command, Option } from 'commander'
import type { CommandContext } from '../shared/command-context.ts'
import { facts, table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { answering, withIsoTimestamps } from '../shared/output.ts'

interface List {
  readonly user: string
  readonly status?: ConfirmationRecord['status']
  readonly type?: string
}

const STATUSES = ['pending', 'approved', 'rejected', 'expired'] as const satisfies readonly ConfirmationRecord['status'][]

const toRow = ({ id, actionType, status, approvedAt, deviceId, consumedBy, createdAt }: ReturnType<typeof toJson>) => ({
  id,
  type: actionType,
  status,
  approved: approvedAt,
  device: deviceId,
  'consumed by': consumedBy,
  asked: createdAt,
})

const toJson = (record: ConfirmationRecord) => withIsoTimestamps(record)

/** `countersign confirmation …`: who approved what, when, and with which device. */
export const addConfirmationCommands = (program: Command, context: CommandContext): void => {
  const confirmation = program.command('confirmation').description('List and show confirmations')

  confirmation
    .command('list')
    .description('list the confirmations of a user, newest first')
    .requiredOption('--user <email>', 'the email of the user')
    .addOption(new Option('--status <status>', 'only confirmations with this status').choices(STATUSES))
    .option('--type <type>', 'only confirmations of this action type')
    .addHelpText('after', '\nExample:\n  $ countersign confirmation list --user ada@example.com --status approved')
    .action(
      answering(context, async ({ user: email, status, type: actionType }: List) => {
        const records = await withCountersign(context, ({ confirmations }) =>
          confirmations.listOfUser({ email, status, actionType }),
        )
        const json = records.map(toJson)
        return { json, text: (screen) => table(json.map(toRow), { screen, empty: 'There are no confirmations.' }) }
      }),
    )

  confirmation
    .command('show')
    .description('show who approved a confirmation, when, and with which device')
    .argument('<id>', 'the id of the confirmation')
    .option('--with-payload', 'also decrypt the payload')
    .addHelpText('after', '\nExample:\n  $ countersign confirmation show conf_0b7e9a58-3d0f-4b43-9f1e-6f4f1f6f2a11')
    .action(
      answering(context, async (confirmationId: string, { withPayload }: { readonly withPayload?: boolean }) => {
        const shown = await withCountersign(context, ({ confirmations }) => confirmations.show({ confirmationId, withPayload }))
        const json = withIsoTimestamps(shown)
        const { actionPayload, ...rest } = json
        const payload = actionPayload === undefined ? {} : { payload: JSON.stringify(actionPayload) }
        return { json, text: (screen) => facts({ ...rest, ...payload }, screen) }
      }),
    )
}
