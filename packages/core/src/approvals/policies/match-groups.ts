import { type ApproverGroup, groupsOf, type PolicyBand, type PolicyGroup, sumCounts } from '../records/action-policy.ts'
import { strictnessRank } from './admits-signer.ts'

/** A group with the number of approvals that count in it. */
export interface FilledGroup extends PolicyGroup {
  readonly approvals: number
}

/**
 * Gives each item at most one slot, and each slot at most one item, so that as many slots as possible are taken. Returns the items
 * with a slot, in their order, and the indices of the taken slots. An earlier item keeps a slot if one is left for it.
 */
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

/**
 * Returns the items that count in the groups of a band, at most as many as the band needs, and the groups with the number of
 * these items. An item that fits two groups counts in one of them.
 */
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

/**
 * Returns whether a band asks for anything that another band, under which people signed, did not ask for: more approvals, approvals
 * of another group, a reason, or a stricter kind of signature.
 */
export const asksForMore = (band: PolicyBand, signed: PolicyBand): boolean => {
  const needed = sumCounts(groupsOf(band))
  const given = fillGroups(toSlots(groupsOf(signed)), band, (held, permission) => held === permission).counted.length
  const needsReason = band.reasonRequired === true && signed.reasonRequired !== true
  const isStricter = needed > 0 && strictnessRank(band) > strictnessRank(signed)
  return given < needed || needsReason || isStricter
}
