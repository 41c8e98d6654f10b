import type { PolicyBand } from '../records/action-policy.ts'
import type { Evidence } from '../records/confirmation.ts'

/** The signatures that count, from all of them to the fewest. */
const strictness = [undefined, 'unsynced', 'device'] as const

/** Returns how strict a band is about what signs: a higher number takes fewer signatures. */
export const strictnessRank = ({ approver }: Pick<PolicyBand, 'approver'>): number => strictness.indexOf(approver)

/** Returns whether a signature counts under a band: of a device, of a passkey that is not synced, or of any. */
export const admitsSigner = ({ approver }: Pick<PolicyBand, 'approver'>, { assertion }: Pick<Evidence, 'assertion'>): boolean =>
  assertion === null || approver === undefined || (approver === 'unsynced' && !assertion.backedUp)
