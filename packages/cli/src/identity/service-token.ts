import type { Countersign, ServiceToken } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import type { CommandContext } from '../shared/command-context.ts'
import { type Confirmed, confirm } from '../shared/confirm.ts'
import { CommandFailed, usageError } from '../shared/failures.ts'
import { table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { collect, type Texts, wholeNumber } from '../shared/option-values.ts'
import { type Answer, withIsoTimestamps } from '../shared/output.ts'

interface Issue {
  readonly service: string
  readonly scope: readonly string[]
  readonly tenant: readonly string[]
  readonly ttl?: number
}

const toRow = (token: ServiceToken) => {
  const { id, service, scopes, within, createdAt, expiresAt, revokedAt } = withIsoTimestamps(token)
  return { id, service, scopes, within, issued: createdAt, expires: expiresAt, revoked: revokedAt }
}

type ServiceTokens = Countersign['serviceTokens']

/** Returns the tokens of a service that are valid now. Names of services are compared without case. */
const validOf = async (serviceTokens: ServiceTokens, service: string): Promise<readonly ServiceToken[]> => {
  const now = Date.now()
  const all = await serviceTokens.list()
  const isOfService = (one: ServiceToken) => one.service.toLowerCase() === service.toLowerCase()
  return all.filter((one) => isOfService(one) && one.revokedAt === null && now < one.expiresAt)
}

const revokeOne = async (serviceTokens: ServiceTokens, id: string): Promise<Answer> => {
  const revoked = await serviceTokens.revoke({ id })
  const { service } = revoked
  const { length: left } = await validOf(serviceTokens, service)
  const after = left === 0 ? `${service} is cut off: it has no other valid token` : `${service} has ${left} other valid tokens`
  return { json: withIsoTimestamps(revoked), text: `Revoked service token ${revoked.id}; ${after}` }
}

/** Revokes the valid tokens of a service, except one that stays valid. */
const revokeOthers = async (
  context: CommandContext,
  serviceTokens: ServiceTokens,
  except: string,
  confirmed: Confirmed,
): Promise<Answer> => {
  const service = (await serviceTokens.list()).find(({ id }) => id === except)?.service
  if (service === undefined) throw new CommandFailed('Service token not found')
  const valid = await validOf(serviceTokens, service)
  const others = valid.filter(({ id }) => id !== except)
  if (others.length === valid.length) throw new CommandFailed(`the token ${except} is not valid, so ${service} would be cut off`)
  if (others.length === 0) return { json: [], text: `There is no other valid token of ${service}.` }
  const warning = `This revokes ${others.length} tokens of ${service}, all except ${except}, and cannot be undone.`
  await confirm(context, confirmed, { warning, expected: service })
  const revoked: ServiceToken[] = []
  for (const { id } of others) revoked.push(await serviceTokens.revoke({ id }))
  return {
    json: revoked.map(withIsoTimestamps),
    text: `Revoked ${revoked.length} service tokens of ${service}; ${except} stays valid`,
  }
}

/** `countersign service-token …`: the tokens with which other services call `/internal/verify`. */
export const addServiceTokenCommands = (program: CliCommand): void => {
  const serviceToken = program.command('service-token').description('Issue, list and revoke the tokens of calling services')

  serviceToken
    .add('issue', 'issue a token for a service; the token is shown only once')
    .requiredOption('--service <name>', 'the name that the service sends in X-Service-Name')
    .option('--scope <scope>', 'a purpose of the token; repeatable', collect, [])
    .option(
      '--tenant <tenant>',
      'a tenant of the host to which the token is bound: the service asks, reads and redeems only there; repeatable',
      collect,
      [],
    )
    .option('--ttl <seconds>', 'lifetime of the token, at most 31536000; 90 days by default', wholeNumber)
    .example('countersign service-token issue --service billing --scope tokens.verify --ttl 86400')
    .use(async ({ serviceTokens }, { service, scope, tenant: within, ttl }: Issue) => {
      const issued = withIsoTimestamps(await serviceTokens.issue({ service, scopes: scope, within, ttlSeconds: ttl }))
      return {
        json: issued,
        text: issued.token,
        note: `This is the only time the token is shown. Its id is ${issued.id}; it expires at ${issued.expiresAt}.`,
      }
    })

  serviceToken.add('list', 'list all issued service tokens, without the tokens themselves', '').use(async ({ serviceTokens }) => {
    const tokens = await serviceTokens.list()
    return { json: tokens.map(withIsoTimestamps), text: table(tokens.map(toRow), 'There are no service tokens.') }
  })

  serviceToken
    .add('revoke', 'revoke a service token, or the other tokens of its service; every server refuses them within a second')
    .argument('[id]', 'the id of the token')
    .option('--except <id>', 'revoke all other tokens of the service that has the token with this id')
    .option('--yes', 'with --except: do not ask; a script must pass this option')
    .example('countersign service-token revoke 0b7e9a58-3d0f-4b43-9f1e-6f4f1f6f2a11')
    .answer((id: string | undefined, { except, ...confirmed }: Confirmed & Texts<'except'>) => {
      if ((id === undefined) === (except === undefined)) throw usageError('give the id of a token, or --except with one')
      return withCountersign(program.context, ({ serviceTokens }) =>
        id === undefined ? revokeOthers(program.context, serviceTokens, except ?? '', confirmed) : revokeOne(serviceTokens, id),
      )
    })
}
