import { hostChosenName } from '@countersign/contract'
import * as z from 'zod'
import { isPermission } from '../../identity/user-model/permissions.ts'
import { type Translations, translations } from '../../shared/translations.ts'
import { complaintAboutWhen } from './complain-about-when.ts'

/** Approvals by a number of people who have a permission. */
export interface ApproverGroup {
  /** The permission that each approver must have: `<resource>.<action>`, without a wildcard and without a tenant. */
  readonly permission: `${string}.${string}`
  /** The number of approvals, by as many users: 1 to 20. Never zero. */
  readonly count: number
}

/** A group of a policy, with its name for people. */
export interface PolicyGroup extends ApproverGroup {
  /** The name of these approvers for people, by language: `{ en: 'Finance' }`. It is neither signed nor a part of the digest. */
  readonly label?: Translations | undefined
}

/** The approvals that some payloads need. */
export interface PolicyBand {
  /** A draft-07 schema: the band applies to payloads that it accepts. The last band has no schema, and applies to all others. */
  readonly when?: Readonly<Record<string, unknown>> | undefined
  /** The groups that must all approve, with at most 20 approvals together. `none` for an action that needs no approvals. */
  readonly groups: readonly PolicyGroup[] | 'none'
  /** The seconds in which a request can be approved and redeemed; `Options.approvalRequestLifetime` by default. */
  readonly expiresIn?: number | undefined
  /** True if the requester must give a reason (`context.reason`). */
  readonly reasonRequired?: boolean | undefined
  /** `device`: only devices can sign. `unsynced`: passkeys that are not synced between devices can sign too. */
  readonly approver?: 'device' | 'unsynced' | undefined
}

export interface PolicyInBands {
  /** 1 by default. Raise the version with each change. */
  readonly version?: number | undefined
  /** The bands. The first band that accepts the payload applies. The last band must be the strictest. */
  readonly bands: readonly PolicyBand[]
  /** Accepts a last band that asks for less than an earlier one, and an earlier band that accepts every payload. */
  readonly allowWeaker?: boolean | undefined
}

/** A policy as the host gives it. A group alone is short for a policy with one band of this group. */
export type GivenPolicy = PolicyGroup | PolicyInBands

/** The approvals that requests for an action type need, in one tenant or in none. */
export interface ActionPolicy {
  readonly actionType: string
  readonly tenant: string | null
  /** Rises with each change. */
  readonly version: number
  readonly bands: readonly PolicyBand[]
}

export const MOST_APPROVALS = 20
const MOST_BANDS = 20
const POLICY_BYTES = 16 * 1024
const MOST_SECONDS = 30 * 24 * 3600

const takesPermission = 'must be a permission such as payment.approve, without a wildcard'
const takesCount = `must be a whole number from 1 to ${MOST_APPROVALS}`
const takesGroups = `must be "none", or a list of { permission, count } with each permission once and at most ${MOST_APPROVALS} approvals`
const takesBands = `must be a list of 1 to ${MOST_BANDS} bands`
const takesSeconds = `must be whole seconds from 1 to ${MOST_SECONDS}`
const takesType = 'must be an action type other than test: 1 to 64 of a-z, 0-9, underscore and hyphen'

/** Checks of a group. Each message continues a sentence that begins with the member's name. */
export const groupShape = {
  permission: z
    .string({ error: takesPermission })
    .refine((text) => isPermission(text) && !/[*@]/.test(text), { error: takesPermission })
    .transform((text) => text as ApproverGroup['permission']),
  count: z.int({ error: takesCount }).min(1, { error: takesCount }).max(MOST_APPROVALS, { error: takesCount }),
  label: translations.optional(),
}

const groups = z
  .array(z.strictObject(groupShape), { error: takesGroups })
  .min(1, { error: takesGroups })
  .refine((list) => new Set(list.map(({ permission }) => permission)).size === list.length && sumCounts(list) <= MOST_APPROVALS, {
    error: takesGroups,
  })

const when = z.record(z.string(), z.unknown(), { error: 'must be a schema' }).superRefine((schema, { addIssue }) => {
  const complaint = complaintAboutWhen(schema)
  if (complaint !== undefined) addIssue({ code: 'custom', message: complaint })
})

const band = z.strictObject({
  when: when.optional(),
  groups: z.literal('none').or(groups),
  expiresIn: z.int({ error: takesSeconds }).min(1, { error: takesSeconds }).max(MOST_SECONDS, { error: takesSeconds }).optional(),
  reasonRequired: z.boolean({ error: 'must be true or false' }).optional(),
  approver: z.enum(['device', 'unsynced'], { error: 'must be device or unsynced' }).optional(),
})

export const policyBands = z
  .array(band, { error: takesBands })
  .min(1, { error: takesBands })
  .max(MOST_BANDS, { error: takesBands })
  .superRefine((list, { addIssue }) => {
    for (const [at, { when: schema }] of list.entries()) {
      const isLast = at === list.length - 1
      const message = isLast ? 'must be absent: the last band applies to all other payloads' : 'must be a schema'
      if ((schema === undefined) !== isLast) addIssue({ code: 'custom', path: [at, 'when'], message })
    }
    const fits = Buffer.byteLength(JSON.stringify(list)) <= POLICY_BYTES
    if (!fits) addIssue({ code: 'custom', message: `must have at most ${POLICY_BYTES} bytes` })
  })

const actionTypeText = /^(?!test(?:@|$))[a-z][a-z0-9_-]{0,63}$/

export const policyPlaceShape = {
  actionType: z.string({ error: takesType }).regex(actionTypeText, { error: takesType }),
  /** `null` or absent for no tenant. */
  tenant: hostChosenName.nullish(),
}

export const allowWeaker = z.boolean({ error: 'must be true or false' }).optional()

export const setPolicyShape = {
  ...policyPlaceShape,
  permission: groupShape.permission.optional(),
  count: groupShape.count.optional(),
  label: groupShape.label,
  bands: policyBands.optional(),
  allowWeaker,
}

export const isPolicy = (policy: Pick<ActionPolicy, 'bands'>): boolean => policyBands.safeParse(policy.bands).success

/** Returns the groups of a band; an empty list for a band that needs no approvals. */
export const groupsOf = ({ groups: given }: Pick<PolicyBand, 'groups'>): readonly PolicyGroup[] => (given === 'none' ? [] : given)

export const sumCounts = (list: readonly ApproverGroup[]): number => list.reduce((sum, { count }) => sum + count, 0)

export const bandsOf = (given: GivenPolicy): readonly PolicyBand[] => {
  if ('bands' in given) return given.bands
  const { permission, count, label } = given
  return [{ groups: [{ permission, count, ...(label && { label }) }] }]
}

/** Returns the bands without the names of their groups: what approvers sign. */
export const withoutLabels = (bands: readonly PolicyBand[]): readonly PolicyBand[] =>
  bands.map((band) => ({
    ...band,
    groups: band.groups === 'none' ? 'none' : band.groups.map(({ permission, count }) => ({ permission, count })),
  }))

/** The stored policies of action types, at most one for a type and a tenant. */
export interface ActionPolicyStore {
  /**
   * Adds the policy of a type and a tenant, or replaces it. Returns its version, which rises also after a removal. The version
   * stays if exactly the bands `relabels` are stored, from which the new bands differ in labels only.
   */
  put(policy: Omit<ActionPolicy, 'version'>, relabels?: ActionPolicy['bands']): Promise<number>
  /** Returns the policy of this type: the one of the tenant, or else the one without a tenant. `hold` locks it until the commit. */
  of(actionType: string, tenant: string | null, hold?: 'hold'): Promise<ActionPolicy | undefined>
  /** Returns all policies, by ascending action type, and for a type by ascending tenant, the one without a tenant first. */
  all(): Promise<readonly ActionPolicy[]>
  /** Removes the policy of a type and exactly this tenant. Returns whether there was one. */
  remove(actionType: string, tenant: string | null): Promise<boolean>
}
