import * as z from 'zod'
import type { ActionTypes } from '../../action-types.ts'
import { isVisible } from '../../display/readable.ts'
import { limits } from '../../limits.ts'
import { type ActionType, actionTypes, confirmationStatuses } from '../../vocabulary.ts'
import { extended } from '../extended.ts'
import { binary, challenge, matching, oneOf, signedChallenge, text, timestamp, trueOrFalse, uuid } from '../fields.ts'
import { askingMembers, displays, statement } from './statement.ts'

/** The schema bounds the length only: an id of another form names no confirmation. */
export const confirmationId = text(1, 255, 'must be the id of a confirmation')

/** A required member: any JSON value except null, a text without a visible character, an empty list and an empty object. */
type Given = string | number | boolean | unknown[] | { [name: string]: unknown }
/** `object`, so that a value whose type is an interface fits too. */
type GivenInput = string | number | boolean | object

const takesGiven = { error: 'must be given, and neither null nor empty' }
const given: z.ZodType<Given, GivenInput> = z.union(
  [
    z.string().min(1, takesGiven).refine(isVisible, takesGiven),
    z.number(),
    z.boolean(),
    z.array(z.unknown()).min(1, takesGiven),
    z
      .looseObject({})
      .refine((value) => Object.keys(value).length > 0, takesGiven)
      .meta({ minProperties: 1 }),
  ],
  takesGiven,
)

const takesAmount = { error: 'must be a number, or a decimal number as text, that is not negative' }
const amount = z.union([z.number().min(0, takesAmount), z.string().regex(/^\d+(?:\.\d+)?$/, takesAmount)], takesAmount)

const takesItems = { error: 'must be a list with at least one item' }
const anyValue = z.unknown().refine((value) => value !== undefined, { error: 'must be given' })

/** The members that each action type requires. Other members are allowed and kept. */
export const actionPayloads = {
  payment_approval: { amount, currency: given, recipient: given },
  document_approval: { documentId: given, documentName: given },
  purchase_order: { amount, supplier: given, items: z.array(z.unknown(), takesItems).min(1, takesItems) },
  user_access: { userId: given, permissions: given },
  settings_change: { settingKey: given, oldValue: anyValue, newValue: anyValue },
  password_change: { userId: given },
  device_register: { deviceName: given, deviceType: given },
  sensitive_data_access: { dataType: given, reason: given },
} as const satisfies Record<ActionType, z.core.$ZodLooseShape>

const payloadTakes = 'must be an object'

/** The schema of one action type and the payload that the type requires, with further members. */
const action = <T extends ActionType, M extends z.core.$ZodLooseShape>(type: T, members: M) =>
  z.object({
    actionType: z.literal(type),
    actionPayload: z.looseObject(actionPayloads[type], { error: payloadTakes }),
    ...members,
  })

const contractActionWith = <M extends z.core.$ZodLooseShape>(members: M) =>
  z.discriminatedUnion(
    'actionType',
    [
      action('payment_approval', members),
      action('document_approval', members),
      action('purchase_order', members),
      action('user_access', members),
      action('settings_change', members),
      action('password_change', members),
      action('device_register', members),
      action('sensitive_data_access', members),
    ],
    { error: `must be one of ${actionTypes.join(', ')}` },
  )

const contractTypes: ReadonlySet<string> = new Set(actionTypes)

/** Both checks abort, so that an input of another type gets the messages of the contract. */
const registeredActionType = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, { abort: true })
  .refine((type) => !contractTypes.has(type), { abort: true })

/** Returns the issues of an action that fits no type: of the form that its type fits, else of the built-in form. */
export const issuesOfAction = (forms: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] =>
  forms.find((form) => !form.some(({ path }) => path[0] === 'actionType')) ?? forms[0] ?? []

/** The schema of an action of any type, with further members. The static type narrows `actionPayload` by built-in types only. */
export const anyActionWith = <M extends z.core.$ZodLooseShape>(members: M) => {
  const contractAction = contractActionWith(members)
  const registeredAction = z.object({
    actionType: registeredActionType,
    actionPayload: z.looseObject({}, { error: payloadTakes }),
    ...members,
  })
  const error: z.core.$ZodErrorMap = ({ errors }) =>
    issuesOfAction((errors ?? []) as readonly (readonly z.core.$ZodIssue[])[])[0]?.message
  return z.union([contractAction, registeredAction], { error }) as unknown as typeof contractAction
}

const anyAction = anyActionWith({})

/** An action type with its payload. `actionType === 'payment_approval'` narrows `actionPayload` to the payload of a payment. */
export type Action = z.output<typeof anyAction>

/** The name of a registered action type in a response: a text. As a `string`, no comparison would narrow `actionPayload`. */
export declare enum RegisteredTypeName {
  text = '',
}

type DeclaredAction = {
  [T in keyof ActionTypes & string]: { readonly actionType: T; readonly actionPayload: ActionTypes[T] }
}[keyof ActionTypes & string]

/** The action of a confirmation in a response: of a built-in type, of a declared type, or of another registered type. */
export type ShownAction =
  | Action
  | DeclaredAction
  | { readonly actionType: RegisteredTypeName; readonly actionPayload: Readonly<Record<string, unknown>> }

export const shownAction = anyAction.meta({ id: 'Action' }) as unknown as z.ZodType<ShownAction>

export const status = oneOf(confirmationStatuses)

export const matchNumberTakes = 'must be the two digits that the asking page shows'
const matchNumber = matching(/^[0-9]{2}$/, matchNumberTakes)

const approvalHead = { confirmationId, matchNumber: matchNumber.optional() }
const byDevice = z.object({ ...approvalHead, deviceId: uuid, signedChallenge })
/** The assertion of a passkey (WebAuthn Level 3 §5.2.2). */
const byPasskey = z.object({
  ...approvalHead,
  credentialId: binary(limits.credentialIdBytes, 'a credential id'),
  authenticatorData: binary(8192, 'authenticator data'),
  clientDataJSON: binary(8192, 'client data'),
  signature: binary(2048, 'a signature'),
})

/** An approval by a device, or by a passkey if `credentialId` is given. A union could have no member in the path. */
const approvalInput = () => {
  const members = z.object({ ...byDevice.shape, ...byPasskey.shape })
  const names = (form: z.ZodObject) => Object.keys(form.shape).filter((name) => !(name in approvalHead)) as (keyof Forms)[]
  type Forms = typeof members.shape
  const [ofDevice, ofPasskey] = [names(byDevice), names(byPasskey)]
  const optional = members.partial().extend({ confirmationId })
  const complete = [...ofDevice, ...ofPasskey].reduce((schema, name) => {
    const isNeeded = ({ credentialId }: { credentialId?: string | undefined }) =>
      ofPasskey.includes(name) === (credentialId !== undefined)
    return schema.refine((value) => value[name] !== undefined || !isNeeded(value), {
      path: [name],
      error: members.shape[name].safeParse(undefined).error?.issues[0]?.message ?? '',
      when: ({ value }) => typeof value === 'object' && value !== null,
    })
  }, optional)
  return complete.meta({ oneOf: [{ required: ofDevice }, { required: ofPasskey }] }) as unknown as z.ZodType<
    z.output<typeof byDevice> | z.output<typeof byPasskey>,
    z.input<typeof byDevice> | z.input<typeof byPasskey>
  >
}

/** The client that asked for a confirmation. Any client can send any user agent. */
const requestedFrom = z
  .object({ address: z.string().nullable(), userAgent: z.string().nullable(), at: timestamp })
  .meta({ id: 'RequestedFrom' })

/** `null` for a built-in type. */
const actionTypeVersion = z.string().nullable()

const settled = <S extends string>(as: S) =>
  z.object({ success: z.literal(true), confirmationId: z.string(), status: z.literal(as) })

export const withdrawn = settled('expired').extend({ withdrawnAt: timestamp })

export const confirmationShapes = {
  'confirmations.receipt': { input: z.object({ confirmationId }), output: z.object({ receipt: z.string() }) },
  'confirmations.initiate': {
    input: anyActionWith({ numberMatching: trueOrFalse.optional(), ...askingMembers }),
    output: z.object({ confirmationId: z.string(), challenge, expiresAt: timestamp, matchNumber: extended(z.string()) }),
  },
  'confirmations.pending': {
    input: z.object({}),
    output: z.object({
      confirmations: z.array(
        z
          .object({
            confirmationId: z.string(),
            challenge,
            nonce: challenge,
            statement,
            display: displays,
            actionTypeVersion,
            requestedFrom: requestedFrom.nullable(),
            numberMatching: z.boolean(),
            createdAt: timestamp,
            expiresAt: timestamp,
          })
          .and(shownAction),
      ),
    }),
  },
  'confirmations.status': {
    input: z.object({ confirmationId }),
    output: z
      .object({
        confirmationId: z.string(),
        status,
        createdAt: timestamp,
        expiresAt: timestamp,
        updatedAt: timestamp,
        /** The reason of a rejection, as its rejecter wrote it; `null` for a confirmation without one. */
        reason: extended(z.string().nullable()),
        /** The time at which the requester withdrew the confirmation, which then reads `expired`; `null` for any other. */
        withdrawnAt: extended(timestamp.nullable()),
        actionTypeVersion: extended(actionTypeVersion),
        display: extended(displays),
      })
      .and(shownAction),
  },
  'confirmations.verify': { input: approvalInput(), output: settled('approved') },
  'confirmations.reject': {
    input: z.object({
      confirmationId,
      reason: text(
        0,
        limits.rejectReasonCharacters,
        `must be text of at most ${limits.rejectReasonCharacters} characters`,
      ).optional(),
      notMe: trueOrFalse.optional(),
    }),
    output: settled('rejected').extend({
      /** Whether the rejection ended the session that asked, or that registered the rejected device or passkey. */
      sessionEnded: extended(z.boolean()),
    }),
  },
  'confirmations.withdraw': { input: z.object({ confirmationId }), output: withdrawn },
} as const
