import * as z from 'zod'

/** The operations that a host can gate, and their action types: those whose payload the service knows how to build. */
export const gateActionTypes = {
  /** Approving a project, and changing what the approval of a project covers. */
  'project.approve': ['document_approval', 'settings_change'],
  'project.delete': ['document_approval', 'settings_change'],
  /** Granting permissions to a user, and creating a user with permissions. */
  'user.grant': ['user_access', 'settings_change'],
} as const

/** The name of an operation for which a host can require the user's approval. */
export type GateName = keyof typeof gateActionTypes

/** The gated operations, and the type of the action that a user approves for each. */
export type Gates = {
  readonly [G in GateName]?: { readonly actionType: (typeof gateActionTypes)[G][number] } | undefined
}

export const isGateName = (text: string): text is GateName => Object.hasOwn(gateActionTypes, text)

const gateSchema = (types: readonly [string, ...string[]]) => {
  const takes = { error: `must be one of ${types.join(', ')}` }
  return z.strictObject({ actionType: z.enum(types, takes) }, { error: 'must be an object with an actionType' }).optional()
}

export const gatesSchema = z.strictObject(
  Object.fromEntries(Object.entries(gateActionTypes).map(([name, types]) => [name, gateSchema(types)])),
  { error: `must be an object of some of ${Object.keys(gateActionTypes).join(', ')}` },
)
