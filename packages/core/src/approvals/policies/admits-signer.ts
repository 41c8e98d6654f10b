import type { PolicyBand } from '../records/action-policy.ts'
import type { Evidence } from '../records/confirmation.ts'

/** The kinds of signatures that count, the least strict first. */
const strictness = [undefined, 'unsynced', 'device'] as const

/** Returns how strict a band is: a higher number accepts fewer kinds of signatures. */
export const strictnessRank = ({ approver }: Pick<PolicyBand, 'approver'>): number => strictness.indexOf(approver)

/** Returns whether a signature counts under a band: of a device, of a passkey that is not synced, or of any. */
export const admitsSigner = ({ approver }: Pick<PolicyBand, 'approver'>, { assertion }: Pick<Evidence, 'assertion'>): boolean =>
  assertion === null || approver === undefined || (approver === 'unsynced' && !assertion.backedUp)
