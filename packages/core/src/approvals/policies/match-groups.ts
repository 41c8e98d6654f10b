import { type ApproverGroup, groupsOf, type PolicyBand, type PolicyGroup, sumCounts } from '../records/action-policy.ts'
import { strictnessRank } from './admits-signer.ts'

/** A group with the number of approvals that count in it. */
export interface FilledGroup extends PolicyGroup {
  readonly approvals: number
}

/** Matches items and slots one to one, as many as possible, earlier items first. Returns the matched items and slots. */
const matchSlots = <T, S>(items: readonly T[], slots: readonly S[], fits: (item: T, slot: S) => boolean) => {
  const taken = new Map<number, T>()
  const place = (item: T, tried: Set<number>): boolean =>
    slots.some((slot, at) => {
      if (tried.has(at) || !fits(item, slot)) return false
      tried.add(at)
      const other = taken.get(at)
      if (other !== undefined && !place(other, tried)) return false
      taken.set(at, item)
      return true
    })
  const placed: readonly T[] = items.filter((item) => place(item, new Set()))
  return { placed, taken: [...taken.keys()] }
}

const toSlots = (groups: readonly ApproverGroup[]): readonly ApproverGroup['permission'][] =>
  groups.flatMap(({ permission, count }) => Array<ApproverGroup['permission']>(count).fill(permission))

/** Returns the items that count in the groups of a band, each in one group and as many as it needs, and the groups. */
export const fillGroups = <T>(
  items: readonly T[],
  band: PolicyBand,
  holds: (item: T, permission: ApproverGroup['permission']) => boolean,
): { readonly counted: readonly T[]; readonly groups: readonly FilledGroup[] } => {
  const slots = toSlots(groupsOf(band))
  const { placed, taken } = matchSlots(items, slots, holds)
  const countApprovals = (permission: string): number => taken.filter((at) => slots[at] === permission).length
  return {
    counted: placed,
    groups: groupsOf(band).map((group) => ({ ...group, approvals: countApprovals(group.permission) })),
  }
}

/** Returns whether a band asks for more than the signed one: approvals, another group, a reason, or a stricter signature. */
export const asksForMore = (band: PolicyBand, signed: PolicyBand): boolean => {
  const needed = sumCounts(groupsOf(band))
  const given = fillGroups(toSlots(groupsOf(signed)), band, (held, permission) => held === permission).counted.length
  const needsReason = band.reasonRequired === true && signed.reasonRequired !== true
  const isStricter = needed > 0 && strictnessRank(band) > strictnessRank(signed)
  return given < needed || needsReason || isStricter
}
