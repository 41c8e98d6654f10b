import type { CliCommand } from '../../shared/cli-command.ts'
import { type Styled, table } from '../../shared/listing.ts'
import type { Check } from './check.ts'

const styles = { ok: 'green', warning: 'yellow', failed: 'red', not_configured: 'dim' } as const satisfies Record<
  Check['status'],
  Styled['style']
>

const toRow = ({ check, status, detail }: Check) => ({
  check,
  status: { text: status.replace('_', ' '), style: styles[status] } satisfies Styled,
  detail,
})

const answer = `
With --json it answers a list with one { "check", "status", "detail" } for each check, whose
status is ok, warning, failed or not_configured. Everything that serve refuses is failed, and
a warning is a setting that works and that few operators want. What is wrong with variables that belong to no check
is a check of its own, configuration; so is a demo user that could do harm. Nothing is changed,
and no secret is shown.`

export const addDoctorCommand = (program: CliCommand): void => {
  program
    .command('doctor')
    .description(
      'Check node, parts, database, clock, schema version, keys, receipts, cache and push; exits with 1 if a check fails',
    )
    .addHelpText('after', `${answer}\n\nExample:\n  $ countersign doctor`)
    .answer(async () => {
      const { examine } = await import('./examine.ts')
      const checks = await examine(program.context)
      return {
        json: checks,
        text: table(checks.map(toRow)),
        failed: checks.some(({ status }) => status === 'failed'),
      }
    })
}
