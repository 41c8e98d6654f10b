import type { ApproverExplained } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import { CommandFailed } from '../shared/failures.ts'
import { facts, table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import type { Texts } from '../shared/option-values.ts'
import { type Drawn, printable, type Screen, withAllIsoTimestamps, withIsoTimestamps } from '../shared/output.ts'
import { policyWords } from '../shared/policy-words.ts'
import { describeTrust, toFacts, toJson } from './describe-user.ts'
import { addUserCommand } from './user-command.ts'

const reached = ({ used, limit }: { readonly used: number; readonly limit: number }): string => `${used} of ${limit}`

const refusals = (limits: ApproverExplained['limits']): readonly string[] => {
  const { sessions, passwordLoginAt } = withIsoTimestamps(limits)
  return [
    ...(passwordLoginAt === null ? [] : [`Password logins are refused until ${passwordLoginAt}, after wrong passwords.`]),
    ...limits.refusedRequests.map(withIsoTimestamps).map(({ category, subject, allowedAt }) => {
      return `The rate limit ${category} refuses requests of the ${printable(subject.replace(':', ' '))} until ${allowedAt}.`
    }),
    ...(sessions.used < sessions.limit ? [] : ['The limit of sessions is reached: one more login ends the least recently used.']),
  ]
}

/** Says what the mark of a forgotten password means for new phones. */
const mailboxMark = (found: ApproverExplained['mailboxMark']): readonly string[] => {
  if (found === null) return []
  const { setAt, endsAt } = withIsoTimestamps(found)
  const end = endsAt ?? 'a trusted device vouches for it or an administrator trusts it'
  return [`A code that only the mailbox vouched for set the password at ${setAt}: a new phone is not trusted until ${end}.`]
}

const drawn = (found: ApproverExplained, screen: Screen): Drawn => {
  const { canApprove, reasons, user, sessions, devices, passkeys, limits, confirmations, policy } = found
  const rows = (heading: string, listed: Parameters<typeof table>[0]) => [`\n${heading}:`, table(listed, 'None.')(screen)]
  const asked = confirmations.pending.map((one) => ({ ...one, status: 'pending' }))
  const voided = confirmations.voided.map((one) => ({ ...one, status: 'voided' }))
  return [
    canApprove ? 'The user can approve.' : 'The user cannot approve:',
    ...reasons.map((reason) => `- ${printable(reason)}`),
    '',
    facts(toFacts(toJson(user)))(screen),
    ...[...mailboxMark(found.mailboxMark), ...refusals(limits)].map((line) => `\n${line}`),
    ...rows(
      `Devices (${reached(limits.devices)})`,
      devices.map(withIsoTimestamps).map((device) => ({
        id: device.id,
        name: device.deviceName,
        trust: describeTrust(device),
        'signed in': sessions.some(({ deviceId }) => deviceId === device.id),
        'last used': device.lastUsedAt,
      })),
    ),
    ...rows(
      'Passkeys',
      passkeys.map(withIsoTimestamps).map(({ id, name, ...trust }) => ({ id, name, trust: describeTrust(trust) })),
    ),
    ...rows(
      `Sessions (${reached(limits.sessions)})`,
      sessions.map(withIsoTimestamps).map(({ id, authMethod, deviceId, lastUsedAt }) => ({
        id,
        'logged in by': authMethod,
        device: deviceId,
        'last used': lastUsedAt,
      })),
    ),
    ...rows(
      `Confirmations (pending: ${reached(limits.pendingConfirmations)})`,
      [...asked, ...voided].map(withIsoTimestamps).map(({ id, actionType, status, createdAt, expiresAt, voidedAt }) => ({
        id,
        type: actionType,
        status,
        asked: createdAt,
        expires: expiresAt,
        voided: voidedAt,
      })),
    ),
    ...(policy === null ? [] : [`\nPolicy: ${policyWords(policy)}; held by the user: ${policy.held ? 'yes' : 'no'}`]),
  ].join('\n') as Drawn
}

/** Returns an address as the server counts it. */
const canonical = async (text: string): Promise<string> => {
  const { canonicalAddress } = await import('@countersign/server')
  const address = canonicalAddress(text)
  if (address === undefined) throw new CommandFailed(`--address: ${text} is no IP address`)
  return address
}

export const addUserWhyCommand = (user: CliCommand): void => {
  const description =
    'say why a user cannot approve: account, forgotten password, sessions, devices and their trust, limits, confirmations, policy'
  addUserCommand(user, 'why', description, 'ada@example.com --action payment_approval')
    .option('--action <type>', 'also what this action type asks for')
    .option('--tenant <tenant>', 'the tenant in which the action is asked for')
    .option('--address <ip>', 'also whether the user can log in from this client address')
    .answer(async (email: string, { action: actionType, tenant, address }: Texts<'action' | 'tenant' | 'address'>) => {
      const from = address === undefined ? undefined : await canonical(address)
      const found = await withCountersign(user.context, (countersign) =>
        countersign.explainApprover({ email, actionType, tenant, address: from }),
      )
      return { json: withAllIsoTimestamps(found), text: (screen) => drawn(found, screen) }
    })
}
