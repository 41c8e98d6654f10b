import type { ActionPolicy, PolicyBand } from '@countersign/core'
import type { Command } from 'commander'
import type { CommandContext } from '../shared/command-context.ts'
import { CommandFailed } from '../shared/command-failed.ts'
import { table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { wholeNumber } from '../shared/option-values.ts'
import { answering } from '../shared/output.ts'
import { bandWords, policyWords } from '../shared/policy-words.ts'
import { readDefinitionFile } from '../shared/read-definition-file.ts'

interface PolicyOptions {
  readonly permission?: string
  readonly count?: number
  readonly scope?: string
  readonly remove?: boolean
}

const rowsOf = (policies: readonly ActionPolicy[]) =>
  policies.flatMap(({ actionType, scope, version, bands }) =>
    bands.map((band) => ({
      type: actionType,
      scope,
      version,
      when: band.when === undefined ? 'always' : JSON.stringify(band.when),
      approvals: bandWords(band),
      expiresIn: band.expiresIn,
      reasonRequired: band.reasonRequired,
      approver: band.approver,
    })),
  )

/** Reads a file of a policy: `{ bands }`. @throws CommandFailed */
const readPolicyFile = async (path: string): Promise<{ readonly bands: readonly PolicyBand[] }> => {
  let value: unknown
  try {
    value = JSON.parse(await readDefinitionFile(path))
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new CommandFailed('the file must be JSON', { cause })
    throw cause
  }
  const isPolicy = typeof value === 'object' && value !== null && 'bands' in value && Object.keys(value).length === 1
  if (!isPolicy) throw new CommandFailed('the file must hold an object with the member bands, and no other')
  return value as { readonly bands: readonly PolicyBand[] }
}

/** `countersign action policy TYPE`: the approvals that requests for an action type need. */
export const addActionPolicyCommand = (action: Command, context: CommandContext): void => {
  const command = action
    .command('policy')
    .description('show, set or remove the policy of an action type: whose approvals a request needs, and how many')
    .argument('[type]', 'the action type; without it, all policies are listed')
    .argument('[file]', 'JSON with the member bands; sets the policy')
    .option(
      '--permission <permission>',
      'the permission of each approver, without a wildcard; sets a policy of one band, with --count',
    )
    .option('--count <count>', 'the number of approvals, by as many people: 1 to 20', wholeNumber)
    .option('--scope <scope>', 'the scope of the policy; it comes before the policy without a scope')
    .option('--remove', 'remove the stored policy, so that no request can be made; this ends open requests')
    .addHelpText('after', '\nExample:\n  $ countersign action policy payment_approval --permission payment.approve --count 2')

  command.action(
    answering(context, async (actionType: string | undefined, file: string | undefined, options: PolicyOptions) => {
      const { permission, count, scope, remove } = options
      if (remove === true && (permission ?? count ?? file) !== undefined) {
        command.error("error: option '--remove' cannot be used with a file, '--permission' and '--count'")
      }
      if ((permission === undefined) !== (count === undefined)) {
        command.error("error: options '--permission' and '--count' go together")
      }
      if (file !== undefined && permission !== undefined) command.error("error: a file cannot be used with '--permission'")
      if (actionType === undefined && (remove === true || (permission ?? scope) !== undefined)) {
        command.error("error: missing required argument 'type'")
      }
      const bands = file === undefined ? undefined : await readPolicyFile(file)
      return withCountersign(context, async ({ actionPolicies }) => {
        if (actionType === undefined) {
          const policies = await actionPolicies.list()
          return {
            json: policies,
            text: (screen) => table(rowsOf(policies), { screen, empty: 'There are no approval policies.' }),
          }
        }
        const place = { actionType, scope: scope ?? null }
        const name = scope === undefined ? actionType : `${actionType} in ${scope}`
        if (remove === true) {
          await actionPolicies.remove(place)
          return { json: { ...place, removed: true }, text: `Removed the stored policy of ${name}` }
        }
        const group = permission === undefined || count === undefined ? undefined : { permission: permission as 'a.b', count }
        const given = bands ?? group
        const stored = given === undefined ? undefined : await actionPolicies.set({ ...place, ...given })
        if (stored?.changed === false) throw new CommandFailed(`${name} has this policy already`)
        const applies = await actionPolicies.show(place)
        if (stored === undefined) {
          return { json: applies, text: (screen) => table(rowsOf([applies]), { screen, empty: '' }) }
        }
        const isHidden = JSON.stringify(stored.bands) !== JSON.stringify(applies.bands)
        const note = isHidden ? ': COUNTERSIGN_APPROVAL_POLICIES comes before the stored policy' : ''
        return { json: applies, text: `A request for ${name} needs the approvals of ${policyWords(applies)}${note}` }
      })
    }),
  )
}
