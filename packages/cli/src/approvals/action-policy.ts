import type { ActionPolicy, PolicyBand, PolicyWarnings } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import { CommandFailed } from '../shared/failures.ts'
import { table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { collect, type Flags, type Texts, wholeNumber } from '../shared/option-values.ts'
import { withAllIsoTimestamps, withIsoTimestamps } from '../shared/output.ts'
import { bandWords, policyWords, weakWords } from '../shared/policy-words.ts'
import { readDefinitionFile } from '../shared/read-definition-file.ts'

interface PolicyOptions extends Texts<'permission' | 'tenant'>, Flags<'remove' | 'dryRun' | 'allowWeaker'> {
  readonly count?: number
  readonly label: readonly string[]
}

const rowsOf = (policies: readonly ActionPolicy[]) =>
  policies.flatMap(({ actionType, tenant, version, bands }) =>
    bands.map((band) => ({
      type: actionType,
      tenant,
      version,
      when: band.when === undefined ? 'always' : JSON.stringify(band.when),
      approvals: bandWords(band),
      expiresIn: band.expiresIn,
      reasonRequired: band.reasonRequired,
      approver: band.approver,
    })),
  )

/** @throws CommandFailed, and JsonRefused for JSON that parsing would change, such as a number with too many digits */
const readJson = async (path: string): Promise<unknown> => {
  const { inspectJson } = await import('@countersign/core')
  try {
    const text = await readDefinitionFile(path)
    const value: unknown = JSON.parse(text)
    inspectJson(text)
    return value
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new CommandFailed('the file must be JSON', { cause })
    throw cause
  }
}

/** Reads a file of a policy: `{ bands }`. @throws CommandFailed */
const readPolicyFile = async (path: string): Promise<{ readonly bands: readonly PolicyBand[] }> => {
  const value = await readJson(path)
  const isPolicy = typeof value === 'object' && value !== null && 'bands' in value && Object.keys(value).length === 1
  if (!isPolicy) throw new CommandFailed('the file must hold an object with the member bands, and no other')
  return value as { readonly bands: readonly PolicyBand[] }
}

const warningsOf = ({ bandsWithoutCurrency, bandsTooComplex, ...weak }: PolicyWarnings): readonly string[] => [
  ...bandsWithoutCurrency.map(
    (band) => `band ${band + 1} compares an amount without pinning its currency: give the currency a const, and require it`,
  ),
  ...bandsTooComplex.map(
    (band) => `band ${band + 1} cannot check every payload of 4 KB: a request is refused if the check takes too much work`,
  ),
  ...weakWords(weak),
]

const labelOf = (given: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    given.map((text) => {
      const [language = '', ...name] = text.split('=')
      return [language, name.join('=')]
    }),
  )

const addTestCommand = (policy: CliCommand): void => {
  policy
    .add('test', 'say which band of the policy applies to a payload, and who would be asked')
    .argument('<type>', 'the action type')
    .requiredOption('--payload <file>', 'JSON with the payload of the action')
    .option('--tenant <tenant>', 'the tenant in which the action would be asked')
    .example('countersign action policy test payment_approval --payload payment.json')
    .answer(async (actionType: string, { payload, tenant }: Texts<'tenant'> & { readonly payload: string }) => {
      const actionPayload = (await readJson(payload)) as Readonly<Record<string, unknown>>
      return withCountersign(policy.context, async ({ actionPolicies }) => {
        const tested = await actionPolicies.test({ actionType, tenant: tenant ?? null, actionPayload })
        const { policy: applies, band, approvers, areEnough } = tested
        const of = applies.bands[band]
        const needs = `Band ${band + 1} of ${applies.bands.length} applies: it needs ${of === undefined ? 'nobody' : bandWords(of)}`
        const asked =
          approvers.length === 0 ? ['Nobody would be asked.'] : ['Asked would be:', ...approvers.map(({ email }) => email)]
        const warnings = [
          ...(areEnough ? [] : ['too few users can approve this now: a request would be refused']),
          ...warningsOf(tested),
        ]
        return { json: tested, text: [needs, ...(tested.count === 0 ? [] : asked)], warnings }
      })
    })
}

/** `countersign action policy TYPE`: the approvals that requests for an action type need. */
export const addActionPolicyCommand = (action: CliCommand): void => {
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
    .option(
      '--label <language=name>',
      'the name of the approvers for people, such as en=Finance; with --permission, may be repeated',
      collect,
      [],
    )
    .option('--tenant <tenant>', 'the tenant of the policy; it comes before the policy without a tenant')
    .option('--remove', 'remove the stored policy, so that no request can be made; this ends open requests')
    .option('--allow-weaker', 'take a last band that asks for less than an earlier one, and an earlier band for every payload')
    .option('--dry-run', 'store nothing, and list the open requests that the new policy would end')
    .example('countersign action policy payment_approval --permission payment.approve --count 2')

  command.enablePositionalOptions()
  addTestCommand(command)

  command.answer(async (actionType: string | undefined, file: string | undefined, options: PolicyOptions) => {
    const { permission, count, label, tenant, remove, dryRun, allowWeaker } = options
    if (remove === true && (permission ?? count ?? file) !== undefined) {
      command.error("error: option '--remove' cannot be used with a file, '--permission' and '--count'")
    }
    if ((permission === undefined) !== (count === undefined)) {
      command.error("error: options '--permission' and '--count' go together")
    }
    if (label.length > 0 && permission === undefined) command.error("error: option '--label' needs '--permission' and '--count'")
    if (file !== undefined && permission !== undefined) command.error("error: a file cannot be used with '--permission'")
    if (actionType === undefined && (remove === true || (permission ?? tenant) !== undefined)) {
      command.error("error: missing required argument 'type'")
    }
    if (dryRun === true && (permission ?? file) === undefined) {
      command.error("error: option '--dry-run' needs a file, or '--permission' and '--count'")
    }
    const bands = file === undefined ? undefined : { ...(await readPolicyFile(file)), allowWeaker }
    return withCountersign(action.context, async ({ actionPolicies }) => {
      if (actionType === undefined) {
        const policies = await actionPolicies.list()
        return {
          json: policies,
          text: table(rowsOf(policies), 'There are no approval policies.'),
        }
      }
      const place = { actionType, tenant: tenant ?? null }
      const name = tenant === undefined ? actionType : `${actionType} in ${tenant}`
      if (remove === true) {
        await actionPolicies.remove(place)
        return { json: { ...place, removed: true }, text: `Removed the stored policy of ${name}` }
      }
      const group =
        permission === undefined || count === undefined
          ? undefined
          : { permission: permission as 'a.b', count, ...(label.length > 0 && { label: labelOf(label) }) }
      const given = bands ?? group
      if (given !== undefined && dryRun === true) {
        const run = await actionPolicies.dryRun({ ...place, ...given })
        return {
          json: withAllIsoTimestamps(run),
          text: table(run.ended.map(withIsoTimestamps), 'The policy would end no open request.'),
          warnings: warningsOf(run),
        }
      }
      const stored = given === undefined ? undefined : await actionPolicies.set({ ...place, ...given })
      if (stored?.changed === false) throw new CommandFailed(`${name} has this policy already`)
      const applies = await actionPolicies.show(place)
      if (stored === undefined) {
        return { json: applies, text: table(rowsOf([applies])) }
      }
      const isHidden = JSON.stringify(stored.bands) !== JSON.stringify(applies.bands)
      const note = isHidden ? ': COUNTERSIGN_APPROVAL_POLICIES comes before the stored policy' : ''
      const text = `A request for ${name} needs the approvals of ${policyWords(applies)}${note}`
      return { json: applies, text, warnings: warningsOf(stored) }
    })
  })
}
