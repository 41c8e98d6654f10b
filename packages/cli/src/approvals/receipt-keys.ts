import type { PublishedReceiptKey } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import { table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { withIsoTimestamps } from '../shared/output.ts'

const described = ({ activeFrom, ...key }: PublishedReceiptKey) => {
  const { kid, alg, jwk, publishedAt, retiredAt, revokedAt, revokedReason } = withIsoTimestamps({
    ...key,
    publishedAt: activeFrom,
  })
  return { kid, alg, jwk, publishedAt, retiredAt, revokedAt, revokedReason }
}

const toRow = (key: PublishedReceiptKey) => {
  const { kid, alg, publishedAt, retiredAt, revokedAt, revokedReason } = described(key)
  return { 'key id': kid, algorithm: alg, published: publishedAt, retired: retiredAt, revoked: revokedAt, reason: revokedReason }
}

/** `countersign keys list|retire|revoke`: the published keys of receipts. */
export const addReceiptKeyCommands = (keys: CliCommand): void => {
  keys
    .command('list')
    .description('list all receipt keys ever published, the oldest first')
    .example('countersign keys list')
    .answer(async () => {
      // Reads the storage, because `countersign.receipts.keys` would publish the keys of this environment.
      const published = await withCountersign(keys.context, (_, storage) => storage.receiptKeys.all())
      return {
        json: published.map(described),
        text: table(published.map(toRow), 'No receipt key is published yet.'),
      }
    })

  keys
    .command('retire')
    .description('end the use of a receipt key; its receipts stay valid')
    .argument('<kid>', 'the id of the key; behind -- if the id begins with a hyphen')
    .example('countersign keys retire kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
    .use(async ({ receipts }, kid: string) => {
      const key = await receipts.retireKey({ kid })
      return { json: described(key), text: `Retired ${kid}: it signs no receipts after two seconds` }
    })

  keys
    .command('revoke')
    .description('declare a receipt key stolen; verifiers refuse all its receipts')
    .argument('<kid>', 'the id of the key; behind -- if the id begins with a hyphen')
    .requiredOption('--reason <text>', 'the reason, which is published; at most 200 characters')
    .example('countersign keys revoke kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k --reason "backup lost"')
    .use(async ({ receipts }, kid: string, { reason }: { readonly reason: string }) => {
      const key = await receipts.revokeKey({ kid, reason })
      return {
        json: described(key),
        text: `Revoked ${kid}: it signs no receipts after a second, and verifiers refuse its receipts`,
      }
    })
}
