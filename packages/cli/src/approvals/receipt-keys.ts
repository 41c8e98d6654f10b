import type { MigratedStorage, PublishedReceiptKey } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import type { CommandContext } from '../shared/command-context.ts'
import { type Confirmed, confirm, yesOption } from '../shared/confirm.ts'
import { table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { withIsoTimestamps } from '../shared/output.ts'

const described = ({ kid, alg, jwk, activeFrom, ...ends }: PublishedReceiptKey) =>
  withIsoTimestamps({ kid, alg, jwk, publishedAt: activeFrom, ...ends })

interface Revoke extends Confirmed {
  readonly reason: string
}

/** Asks before the use of a published key ends. The id of an unknown key is refused afterwards. */
const confirmEnd = async (
  context: CommandContext,
  { receiptKeys }: Pick<MigratedStorage, 'receiptKeys'>,
  kid: string,
  confirmed: Confirmed,
  effect: string,
): Promise<void> => {
  const all = await receiptKeys.all()
  if (all.every((key) => key.kid !== kid)) return
  const others = all.filter((key) => key.kid !== kid && key.retiredAt === null && key.revokedAt === null).length
  const left = others === 0 ? 'No other published key can sign: nothing is approved with a receipt until there is one. ' : ''
  await confirm(context, confirmed, { warning: `${effect} ${left}This cannot be undone.`, expected: kid })
}

const toRow = (key: PublishedReceiptKey) => {
  const { kid, alg, publishedAt, retiredAt, revokedAt, revokedReason } = described(key)
  return { 'key id': kid, algorithm: alg, published: publishedAt, retired: retiredAt, revoked: revokedAt, reason: revokedReason }
}

export const addReceiptKeyCommands = (keys: CliCommand): void => {
  keys.add('list', 'list all receipt keys ever published, the newest first', '').answer(async () => {
    // Reads the storage, because `countersign.receipts.keys` would publish the keys of this environment.
    const all = await withCountersign(keys.context, (_, storage) => storage.receiptKeys.all())
    const published = all.toReversed()
    return {
      json: published.map(described),
      text: table(published.map(toRow), 'No receipt key is published yet.'),
    }
  })

  keys
    .add('retire', 'end the use of a receipt key; its receipts stay valid', 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k --yes')
    .argument('<kid>', 'the id of the key; behind -- if the id begins with a hyphen')
    .option(...yesOption)
    .answer((kid: string, confirmed: Confirmed) =>
      withCountersign(keys.context, async ({ receipts }, storage) => {
        const effect = `This ends the use of ${kid} on every server: it signs no receipt any more.`
        await confirmEnd(keys.context, storage, kid, confirmed, effect)
        const key = await receipts.retireKey({ kid })
        return { json: described(key), text: `Retired ${kid}: it signs no receipts after two seconds` }
      }),
    )

  keys
    .add('revoke', 'declare a receipt key stolen; verifiers refuse all its receipts')
    .argument('<kid>', 'the id of the key; behind -- if the id begins with a hyphen')
    .requiredOption('--reason <text>', 'the reason, which is published; at most 200 characters')
    .option(...yesOption)
    .example('countersign keys revoke kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k --reason "backup lost" --yes')
    .answer((kid: string, { reason, ...confirmed }: Revoke) =>
      withCountersign(keys.context, async ({ receipts }, storage) => {
        const effect = `This makes verifiers refuse every receipt that ${kid} has signed, and it signs no more.`
        await confirmEnd(keys.context, storage, kid, confirmed, effect)
        const key = await receipts.revokeKey({ kid, reason })
        return {
          json: described(key),
          text: `Revoked ${kid}: it signs no receipts after a second, and verifiers refuse its receipts`,
        }
      }),
    )
}
