import * as z from 'zod'
import { isVisible } from '../../display/readable.ts'
import { characterCount, hostChosenName, oneOf, renamedTo, text, timestamp } from '../fields.ts'

/** The most bytes of a context, as JSON in UTF-8. */
const CONTEXT_BYTES = 1024
const CONTEXT_TEXT = 200

const takesContext = `must be an object of texts of 1 to ${CONTEXT_TEXT} characters, at least one of them visible, of at most ${CONTEXT_BYTES} bytes of JSON`
const contextText = z
  .string({ error: takesContext })
  .refine((value) => isVisible(value) && characterCount(value) <= CONTEXT_TEXT, { error: takesContext })
const context = z
  .record(z.string(), contextText, { error: takesContext })
  .refine((value) => new TextEncoder().encode(JSON.stringify(value)).length <= CONTEXT_BYTES, { error: takesContext })

const takesOnBehalfOf = 'must be text of 1 to 200 characters, at least one of them visible'
const onBehalfOf = text(1, 200, takesOnBehalfOf).refine(isVisible, { error: takesOnBehalfOf })

/** The members that a caller can add to the action in a request for a confirmation or for approvals. */
export const askingMembers = {
  operation: hostChosenName.optional(),
  tenant: hostChosenName.optional(),
  scope: renamedTo('tenant'),
  context: context.optional(),
}
/** The members that only a service can add. */
export const serviceAskingMembers = { ...askingMembers, onBehalfOf: onBehalfOf.optional() }
/** The action for which an approval is used. The payload is compared with the approved one, so no member is required here. */
export const usedAction = {
  actionType: text(1, 255, 'must be the type of the action'),
  actionPayload: z.looseObject({}, { error: 'must be an object' }),
}
/** The members that a caller may state to use an approval. Another operation or tenant than the approval's is refused. */
export const usingMembers = {
  idempotencyKey: text(1, 255, 'must be text of 1 to 255 characters').optional(),
  operation: hostChosenName.optional(),
  tenant: hostChosenName.optional(),
  scope: renamedTo('tenant'),
}

const person = z.object({ id: z.int(), externalId: z.string().nullable() })

const displayLine = z.object({
  label: z.string(),
  value: z.string(),
  /** Present on the lines that a screen shows first and largest. */
  lead: z.literal(true).optional(),
})

/** The words that the device shows and signs, by language (BCP 47). */
export const displays = z.record(
  z.string(),
  z.object({ direction: oneOf(['ltr', 'rtl']), title: z.string(), lines: z.array(displayLine) }).meta({ id: 'Display' }),
)

/** The policy that a request for several approvals was started under: its version, the band that applied, and its SHA-256. */
const signedPolicy = z.object({ version: z.int(), band: z.int(), digest: z.string() })

/**
 * The statement that a device signs. The challenge is SHA-512 over its domain, a zero byte, the 64 bytes of the nonce and the
 * canonical JSON (RFC 8785) of the statement. The domain is `countersign.approval.v1` for a statement with the member `approval`,
 * and otherwise `countersign.confirmation.v1`. Every other member is always there, and `null` if it is absent.
 */
export const statement = z
  .object({
    /** The issuer of receipts. */
    iss: z.string().nullable(),
    confirmationId: z.string(),
    createdAt: timestamp,
    expiresAt: timestamp,
    tenant: z.string().nullable(),
    /** The person who is asked. */
    subject: person,
    /** The person or service that asks. */
    requester: z.object({
      kind: oneOf(['user', 'service']),
      id: z.int().nullable(),
      externalId: z.string().nullable(),
      name: z.string(),
    }),
    onBehalfOf: z.string().nullable(),
    context: z.record(z.string(), z.string()).nullable(),
    operation: z.string().nullable(),
    actionType: z.string(),
    actionTypeVersion: z.string().nullable(),
    actionPayload: z.looseObject({}),
    display: displays,
    approval: z
      .object({
        id: z.string(),
        policy: signedPolicy,
        count: z.int(),
        /** The user for whom a delegate votes; absent in the vote of a user who has the permission. */
        delegatedBy: person.extend({ name: z.string() }).optional(),
      })
      .optional(),
  })
  .meta({ id: 'Statement' })

/** The statement of a confirmation, as a device signs it. */
export type Statement = z.output<typeof statement>
