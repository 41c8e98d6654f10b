import type { Passkey, WithTrust } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import { usageError } from '../shared/failures.ts'
import { table } from '../shared/listing.ts'
import { withIsoTimestamps } from '../shared/output.ts'
import { describeTrust } from './describe-user.ts'

/** A passkey without the fields that only ceremonies need. */
const toJson = <P extends Passkey>({ publicKey: _, spki: __, userHandle: ___, signCount: ____, ...passkey }: P) =>
  withIsoTimestamps(passkey)

const algorithmNames = { [-7]: 'ES256', [-257]: 'RS256' } as const

/** Ids of authenticators have at least 16 bytes (WebAuthn Level 3 §4), which are 22 characters of base64url. */
const SHORTEST_ID = 22

/** Reads an id. A text that begins with a hyphen and is too short for an id is an unknown option. @throws CommanderError */
const passkeyId = (text: string): string => {
  const isId = text.length >= SHORTEST_ID && Buffer.from(text, 'base64url').toString('base64url') === text
  if (isId || !text.startsWith('-')) return text
  throw usageError(`unknown option '${text}'`)
}

const toRow = (passkey: ReturnType<typeof toJson<WithTrust<Passkey>>>) => ({
  id: passkey.id,
  name: passkey.name,
  key: algorithmNames[passkey.algorithm],
  transports: passkey.transports,
  'backed up': passkey.backedUp,
  trust: describeTrust(passkey),
  'last used': passkey.lastUsedAt,
  registered: passkey.createdAt,
})

const changes = {
  trust: {
    description: 'make a passkey on probation trusted, so that its sessions can register trusted devices',
    done: ({ id }: Passkey) => `Passkey ${id} is trusted`,
  },
  revoke: {
    description: 'remove a passkey and end the sessions that it opened; logins with it are refused from then on',
    done: ({ id }: Passkey) => `Revoked passkey ${id}; every session that it opened has ended`,
  },
}

export const addPasskeyCommands = (program: CliCommand): void => {
  const passkey = program.command('passkey').description('List, trust and revoke passkeys')

  passkey
    .add('list', 'list the passkeys of a user', '--user ada@example.com')
    .requiredOption('--user <user>', 'the email or id of the user')
    .use(async ({ passkeys }, { user: email }: { readonly user: string }) => {
      const json = (await passkeys.listOfUser({ email })).map(toJson)
      return { json, text: table(json.map(toRow), 'There are no passkeys.') }
    })

  for (const name of ['trust', 'revoke'] as const) {
    passkey
      .add(name, changes[name].description, 'qT5vLr0m1cWJ2y0m8d3Nw')
      .argument('<id>', 'the id of the passkey', passkeyId)
      .option('--user <user>', 'the email or id of its user, needed where several users have a passkey with this id')
      .allowUnknownOption()
      .use(async ({ passkeys }, id: string, { user: email }: { readonly user?: string }) => {
        const changed = await passkeys[name]({ id, email })
        return { json: toJson(changed), text: changes[name].done(changed) }
      })
  }
}
