import * as z from 'zod'
import { storableText } from '../../shared/input-schemas.ts'
import type { ApproverGroup } from '../records/action-policy.ts'

/** The policy of an approved request, as the host knows it: one group, all groups, or the digest that the approvers signed. */
export type NamedPolicy = ApproverGroup | { readonly groups: 'none' | readonly ApproverGroup[] } | { readonly digest: string }

const group = { permission: storableText, count: z.int() }

export const namedPolicy = z.union(
  [
    z.strictObject(group),
    z.strictObject({ groups: z.literal('none').or(z.array(z.strictObject(group))) }),
    z.strictObject({ digest: storableText }),
  ],
  {
    error: 'must be { permission, count }, { groups } or { digest }',
  },
)

/** Returns a policy that the host names. @throws TypeError */
export const checkedPolicy = (policy: unknown): NamedPolicy => {
  const { data, error } = namedPolicy.safeParse(policy)
  if (error !== undefined) throw new TypeError(`policy ${error.issues[0]?.message}`)
  return data as NamedPolicy
}
