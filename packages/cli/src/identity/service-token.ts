import type { ServiceToken } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import { table } from '../shared/listing.ts'
import { collect, wholeNumber } from '../shared/option-values.ts'
import { withIsoTimestamps } from '../shared/output.ts'

interface Issue {
  readonly service: string
  readonly scope: readonly string[]
  readonly within: readonly string[]
  readonly ttl?: number
}

const toRow = (token: ServiceToken) => {
  const { id, service, scopes, within, createdAt, expiresAt, revokedAt } = withIsoTimestamps(token)
  return { id, service, scopes, within, issued: createdAt, expires: expiresAt, revoked: revokedAt }
}

/** `countersign service-token …`: the tokens with which other services call `/internal/verify`. */
export const addServiceTokenCommands = (program: CliCommand): void => {
  const serviceToken = program.command('service-token').description('Issue, list and revoke the tokens of calling services')

  serviceToken
    .command('issue')
    .description('issue a token for a service; the token is shown only once')
    .requiredOption('--service <name>', 'the name that the service sends in X-Service-Name')
    .option('--scope <scope>', 'a purpose of the token; repeatable', collect, [])
    .option(
      '--within <scope>',
      'a scope of the host to which the token is bound: the service asks, reads and redeems only there; repeatable',
      collect,
      [],
    )
    .option('--ttl <seconds>', 'lifetime of the token, at most 31536000; 90 days by default', wholeNumber)
    .example('countersign service-token issue --service billing --scope tokens.verify --ttl 86400')
    .use(async ({ serviceTokens }, { service, scope, within, ttl }: Issue) => {
      const issued = withIsoTimestamps(await serviceTokens.issue({ service, scopes: scope, within, ttlSeconds: ttl }))
      return {
        json: issued,
        text: issued.token,
        note: `This is the only time the token is shown. Its id is ${issued.id}; it expires at ${issued.expiresAt}.`,
      }
    })

  serviceToken
    .command('list')
    .description('list all issued service tokens, without the tokens themselves')
    .example('countersign service-token list')
    .use(async ({ serviceTokens }) => {
      const tokens = await serviceTokens.list()
      return { json: tokens.map(withIsoTimestamps), text: table(tokens.map(toRow), 'There are no service tokens.') }
    })

  serviceToken
    .command('revoke')
    .description('revoke a service token; every server refuses it within a second')
    .argument('<id>', 'the id of the token')
    .example('countersign service-token revoke 0b7e9a58-3d0f-4b43-9f1e-6f4f1f6f2a11')
    .use(async ({ serviceTokens }, id: string) => {
      const revoked = await serviceTokens.revoke({ id })
      return { json: withIsoTimestamps(revoked), text: `Revoked service token ${revoked.id} of ${revoked.service}` }
    })
}
