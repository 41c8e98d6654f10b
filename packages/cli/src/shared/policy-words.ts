import type { ActionPolicy, PolicyBand, PolicyWarnings } from '@countersign/core'

const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`)

export const bandWords = ({ groups }: PolicyBand): string =>
  groups === 'none'
    ? 'nobody'
    : groups
        .map(
          ({ permission, count, label }) =>
            `${people(count)} with ${permission}${label ? ` (${Object.values(label).join(', ')})` : ''}`,
        )
        .join(' and ')

export const policyWords = ({ bands }: Pick<ActionPolicy, 'bands'>): string =>
  bands.map((band) => `${bandWords(band)}${band.when === undefined ? '' : ` when ${JSON.stringify(band.when)}`}`).join('; else ')

/** Says which bands make a policy weaker than its author may expect. */
export const weakWords = (weak: Pick<PolicyWarnings, 'bandsAboveLast' | 'bandsForEverything'>): readonly string[] => [
  ...weak.bandsAboveLast.map(
    (band) =>
      `the last band asks for less than band ${band + 1}: an amount sent as text, or another currency, needs fewer approvals`,
  ),
  ...weak.bandsForEverything.map((band) => `band ${band + 1} accepts every payload, so that no later band applies`),
]
