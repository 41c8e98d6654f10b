import type { Config, ConfigProblem } from '@countersign/server'
import { unreadVariable } from '../../shared/open-database.ts'

/** Returns valid settings that an operator is unlikely to want. */
export const doubtfulSettings = ({ production, relyingParty, unknownVariables }: Config): readonly ConfigProblem[] => {
  const localhost = {
    variable: 'COUNTERSIGN_RP_ID',
    check: 'configuration',
    line: 'COUNTERSIGN_RP_ID: is localhost in production, where no passkey works elsewhere; it takes the domain of your pages',
  }
  const unknown = unknownVariables.map((one) => ({ variable: one.name, check: 'configuration', line: unreadVariable(one) }))
  return [...(production && relyingParty.id === 'localhost' ? [localhost] : []), ...unknown]
}
