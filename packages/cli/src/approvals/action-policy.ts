import type { ActionPolicy } from '@countersign/core'
import type { Command } from 'commander'
import type { CommandContext } from '../shared/command-context.ts'
import { CommandFailed } from '../shared/command-failed.ts'
import { facts, table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { wholeNumber } from '../shared/option-values.ts'
import { answering } from '../shared/output.ts'

interface PolicyOptions {
  readonly permission?: string
  readonly count?: number
  readonly remove?: boolean
}

const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`)

const sentence = (actionType: string, { permission, count }: ActionPolicy): string =>
  `A request for ${actionType} needs the approvals of ${people(count)} with ${permission}`

const isSame = (one: ActionPolicy, other: ActionPolicy): boolean =>
  one.permission === other.permission && one.count === other.count

/** `countersign action policy TYPE`: the approvals that requests for an action type need. */
export const addActionPolicyCommand = (action: Command, context: CommandContext): void => {
  const command = action
    .command('policy')
    .description('show, set or remove the policy of an action type: whose approvals a request needs, and how many')
    .argument('[type]', 'the action type; without it, all policies are listed')
    .option('--permission <permission>', 'the permission of each approver, without a wildcard; sets the policy, with --count')
    .option('--count <count>', 'the number of approvals, by as many people: 1 to 20', wholeNumber)
    .option('--remove', 'remove the stored policy, so that no request can be made; open requests keep theirs')
    .addHelpText('after', '\nExample:\n  $ countersign action policy payment_approval --permission payment.approve --count 2')

  command.action(
    answering(context, async (actionType: string | undefined, { permission, count, remove }: PolicyOptions) => {
      if (remove === true && (permission !== undefined || count !== undefined)) {
        command.error("error: option '--remove' cannot be used with '--permission' and '--count'")
      }
      if ((permission === undefined) !== (count === undefined)) {
        command.error("error: options '--permission' and '--count' go together")
      }
      if (actionType === undefined && (remove === true || permission !== undefined)) {
        command.error("error: missing required argument 'type'")
      }
      return withCountersign(context, async ({ actionPolicies }, storage) => {
        if (actionType === undefined) {
          const policies = await actionPolicies.list()
          const rows = policies.map(({ actionType: type, ...policy }) => ({ type, ...policy }))
          return { json: policies, text: (screen) => table(rows, { screen, empty: 'There are no approval policies.' }) }
        }
        if (remove === true) {
          await actionPolicies.remove({ actionType })
          return { json: { actionType, removed: true }, text: `Removed the stored policy of ${actionType}` }
        }
        if (permission !== undefined && count !== undefined) {
          const given = { permission: permission as ActionPolicy['permission'], count }
          const stored = await storage.actionPolicies.ofType(actionType)
          if (stored !== undefined && isSame(given, stored)) throw new CommandFailed(`${actionType} has this policy already`)
          await actionPolicies.set({ actionType, ...given })
          const applies = await actionPolicies.show({ actionType })
          const text = `${sentence(actionType, applies)}${isSame(given, applies) ? '' : ': COUNTERSIGN_APPROVAL_POLICIES comes before the stored policy'}`
          return { json: { actionType, ...applies }, text }
        }
        const policy = await actionPolicies.show({ actionType })
        return { json: { actionType, ...policy }, text: (screen) => facts({ type: actionType, ...policy }, screen) }
      })
    }),
  )
}
