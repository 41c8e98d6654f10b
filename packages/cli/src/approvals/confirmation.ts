import type { ConfirmationRecord, ListedConfirmation } from '@countersign/core'
import { Option } from 'commander'
import type { CliCommand } from '../shared/cli-command.ts'
import { addListOptions, type ListOptions, nextPage, toListAll } from '../shared/list-options.ts'
import { facts, table } from '../shared/listing.ts'
import type { Texts } from '../shared/option-values.ts'
import { withIsoTimestamps } from '../shared/output.ts'

interface List extends ListOptions, Texts<'type' | 'tenant'> {
  readonly status?: ConfirmationRecord['status']
}

const STATUSES = ['pending', 'approved', 'rejected', 'expired'] as const satisfies readonly ConfirmationRecord['status'][]

const toRow = (one: ReturnType<typeof toJson>) => ({
  id: one.id,
  user: one.email,
  tenant: one.tenant,
  type: one.actionType,
  status: one.status,
  approved: one.approvedAt,
  device: one.deviceId ?? one.passkeyId,
  'consumed by': one.consumedBy,
  asked: one.createdAt,
})

/** A voided approval must not look valid, and a withdrawn confirmation must not look expired. */
const shownStatus = ({ status, voidedAt, withdrawnAt }: Pick<ConfirmationRecord, 'status' | 'voidedAt' | 'withdrawnAt'>) => {
  if (voidedAt !== null) return 'voided' as const
  return withdrawnAt === null ? status : ('withdrawn' as const)
}

const toJson = (record: ListedConfirmation) => ({ ...withIsoTimestamps(record), status: shownStatus(record) })

export const addConfirmationCommands = (program: CliCommand): void => {
  const confirmation = program.command('confirmation').description('List and show confirmations')

  addListOptions(confirmation.add('list', 'list the confirmations of all users, newest first'), 'confirmations')
    .addOption(
      new Option(
        '--status <status>',
        'only confirmations with this status; approved has the voided approvals too, expired the withdrawn confirmations',
      ).choices(STATUSES),
    )
    .option('--type <type>', 'only confirmations of this action type')
    .option('--tenant <tenant>', 'only confirmations in this tenant')
    .example('countersign confirmation list --status approved --since 2026-01-01')
    .use(async ({ confirmations }, { status, type: actionType, tenant, ...options }: List) => {
      const page = await confirmations.listAll({ ...toListAll(options), status, actionType, tenant })
      const json = page.items.map(toJson)
      return { json, text: table(json.map(toRow), 'There are no confirmations.'), warnings: nextPage(page) }
    })

  confirmation
    .add('show', 'show who approved a confirmation, when, and with which device', 'conf_0b7e9a58-3d0f-4b43-9f1e-6f4f1f6f2a11')
    .argument('<id>', 'the id of the confirmation')
    .option('--with-payload', 'also decrypt the payload, and the reason of a rejection')
    .use(async ({ confirmations }, confirmationId: string, { withPayload }: { readonly withPayload?: boolean }) => {
      const shown = await confirmations.show({ confirmationId, withPayload })
      const json = { ...withIsoTimestamps(shown), status: shownStatus(shown) }
      const { actionPayload, ...rest } = json
      const payload = actionPayload === undefined ? {} : { payload: JSON.stringify(actionPayload) }
      return { json, text: facts({ ...rest, ...payload }) }
    })
}
