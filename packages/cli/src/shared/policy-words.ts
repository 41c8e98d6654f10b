import type { ActionPolicy, PolicyBand } from '@countersign/core'

const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`)

/** Says whose approvals a band needs. */
export const bandWords = ({ groups }: PolicyBand): string =>
  groups === 'none' ? 'nobody' : groups.map(({ permission, count }) => `${people(count)} with ${permission}`).join(' and ')

/** Says whose approvals a policy needs, in one line. */
export const policyWords = ({ bands }: Pick<ActionPolicy, 'bands'>): string =>
  bands.map((band) => `${bandWords(band)}${band.when === undefined ? '' : ` when ${JSON.stringify(band.when)}`}`).join('; else ')
