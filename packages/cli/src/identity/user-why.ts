import type { ApproverExplained } from '@countersign/core'
import type { Command } from 'commander'
import type { CommandContext } from '../shared/command-context.ts'
import { facts, table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { answering, type Drawn, printable, type Screen, withAllIsoTimestamps, withIsoTimestamps } from '../shared/output.ts'
import { describeTrust } from './describe-trust.ts'
import { toFacts, toJson } from './describe-user.ts'

const reached = ({ used, limit }: { readonly used: number; readonly limit: number }): string => `${used} of ${limit}`

const drawn = (found: ApproverExplained, screen: Screen): Drawn => {
  const { canApprove, reasons, user, sessions, devices, passkeys, limits, confirmations, policy } = found
  const rows = (heading: string, listed: Parameters<typeof table>[0]) => [
    `\n${heading}:`,
    table(listed, { screen, empty: 'None.' }),
  ]
  const asked = confirmations.pending.map((one) => ({ ...one, status: 'pending' }))
  const voided = confirmations.voided.map((one) => ({ ...one, status: 'voided' }))
  return [
    canApprove ? 'The user can approve.' : 'The user cannot approve:',
    ...reasons.map((reason) => `- ${printable(reason)}`),
    '',
    facts(toFacts(toJson(user)), screen),
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
    ...(policy === null
      ? []
      : [
          `\nPolicy: ${policy.count} approvals by users with ${policy.permission}; held by the user: ${policy.held ? 'yes' : 'no'}`,
        ]),
  ].join('\n') as Drawn
}

/** `countersign user why`: everything that decides whether a user can approve. */
export const addUserWhyCommand = (user: Command, context: CommandContext): void => {
  user
    .command('why')
    .description('say why a user cannot approve: account, sessions, devices and their trust, limits, confirmations, policy')
    .argument('<user>', 'the email or id of the user')
    .option('--action <type>', 'also what this action type asks for')
    .addHelpText('after', '\nExample:\n  $ countersign user why ada@example.com --action payment_approval')
    .action(
      answering(context, async (email: string, { action: actionType }: { readonly action?: string }) => {
        const found = await withCountersign(context, (countersign) => countersign.explainApprover({ email, actionType }))
        return { json: withAllIsoTimestamps(found), text: (screen) => drawn(found, screen) }
      }),
    )
}
