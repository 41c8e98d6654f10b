import type { PushTestResult } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import { CommandFailed } from '../shared/failures.ts'
import { type Styled, table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'

const styles = { delivered: 'green', gone: 'yellow', failed: 'red', not_sent: 'dim' } as const satisfies Record<
  PushTestResult['outcome'],
  Styled['style']
>

const toRow = ({ deviceId, deviceName, provider, outcome, reason }: PushTestResult) => ({
  device: deviceId,
  name: deviceName,
  provider,
  outcome: { text: outcome.replace('_', ' '), style: styles[outcome] } satisfies Styled,
  answer: reason,
})

export const addPushCommands = (program: CliCommand): void => {
  program
    .add('push', 'Try the push messages to devices')
    .add('test', 'send a test message to the trusted devices of a user; exits with 1 unless every message arrives')
    .requiredOption('--user <email>', 'the user')
    .example('countersign push test --user ada@example.com')
    .answer(async ({ user: email }: { readonly user: string }) => {
      const { readConfig } = await import('@countersign/server')
      if (readConfig(program.context.env).push.length === 0)
        throw new CommandFailed('COUNTERSIGN_PUSH is none, so no message is sent')
      const results = await withCountersign(program.context, ({ devices }) => devices.testPush({ email }))
      const sent = results.filter(({ outcome }) => outcome !== 'not_sent')
      const isWell = sent.length > 0 && sent.every(({ outcome }) => outcome === 'delivered')
      return {
        json: results,
        text: table(results.map(toRow), 'The user has no devices.'),
        failed: !isWell,
      }
    })
}
