import type { Config } from '@countersign/server'
import { type Finding, warning } from './check.ts'

/** Warns that pages of the contract cannot ask for approvals, because their answers do not show the number. */
export const examineNumberMatching = ({ numberMatching }: Pick<Config, 'numberMatching'>): Finding | undefined =>
  numberMatching
    ? warning('every approval needs the number: pages that do not send Countersign-Extended: 1 cannot ask for one')
    : undefined
