import { createHash, randomBytes } from 'node:crypto'
import { verifyReceipt } from '@countersign/client-sdk/receipt'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { confirmationChallenge } from '../src/approvals/confirmation-challenge.ts'
import type { PendingConfirmation } from '../src/identity/devices/device-signer.ts'
import type { Digest } from '../src/shared/encoding/commitment.ts'
import { aStatement, createDeviceKey, createIssuer, makeReceipt } from '../src/testing/make-receipt.ts'

/** Statements in which every member says something. */
const asked = {
  ...aStatement,
  tenant: 'acme',
  subject: { id: 7, externalId: 'u-7' },
  requester: { kind: 'user', id: 9, externalId: 'u-9', name: 'Eve' },
  onBehalfOf: 'Ada’s Workshop',
  context: { agent: 'clerk', tool: 'pay', run: '17', reason: 'Rent' },
  operation: 'bank.pay',
}
const vote = { ...asked, approval: { id: 'appr_1', policy: { version: 1, band: 0, digest: 'A'.repeat(43) }, count: 2 } }
type Signed = Readonly<Record<string, unknown>>
const domainOf = (statement: Signed): string => `countersign.${'approval' in statement ? 'approval' : 'confirmation'}.v1`

interface Holder {
  readonly holder: Record<string, unknown>
  readonly name: string
}

/** Returns every member of an object, at every depth. */
const membersOf = (value: object): readonly Holder[] =>
  Object.entries(value).flatMap(([name, member]: [string, unknown]) => [
    { holder: value as Record<string, unknown>, name },
    ...(typeof member === 'object' && member !== null ? membersOf(member) : []),
  ])

/** Changes one member at a random place: another value, another character, no value, or a member more. */
const mutant = fc
  .record({
    statement: fc.constantFrom<Signed>(asked, vote),
    place: fc.nat(),
    how: fc.constantFrom('replace', 'character', 'remove', 'add'),
    value: fc.jsonValue({ maxDepth: 1 }),
    at: fc.nat(),
  })
  .map(({ statement, place, how, value, at }) => {
    const changed = structuredClone(statement) as Record<string, unknown>
    const members = membersOf(changed)
    const { holder, name } = members[place % members.length] ?? expect.fail('a statement has members')
    const text = holder[name]
    if (how === 'add') holder[`${name}x`] = value
    else if (how === 'remove') delete holder[name]
    else if (how === 'character' && typeof text === 'string') {
      const index = at % text.length
      holder[name] = `${text.slice(0, index)}${text[index] === 'x' ? 'y' : 'x'}${text.slice(index + 1)}`
    } else holder[name] = value
    return { statement, changed: changed }
  })
  .filter(({ statement, changed }) => canonicalize(statement) !== canonicalize(changed))

const seed = 20_251_123

describe('of 10,000 random changes of what was signed', () => {
  it('verifyReceipt calls none of 2,500 changed receipts genuine, also if the issuer signed the change', async () => {
    const [issuer, deviceKey] = [await createIssuer(), await createDeviceKey()]
    const verdicts = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(mutant, async ({ statement, changed }) => {
        const parts = { issuer, deviceKey, domain: domainOf(statement), statement }
        const { receipt, keys } = await makeReceipt({ ...parts, shownStatement: changed })
        const { verdict } = await verifyReceipt(receipt, { keys })
        verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1)
      }),
      { numRuns: 2500, seed },
    )
    expect([...verdicts]).toEqual([['refused', 2500]])
    for (const statement of [asked, vote]) {
      const { receipt, keys } = await makeReceipt({ issuer, deviceKey, domain: domainOf(statement), statement })
      expect(await verifyReceipt(receipt, { keys })).toMatchObject({ verdict: 'genuine' })
    }
  })

  it('a device signs none of 7,500 changed confirmations, also if the service shows the change too', async () => {
    const sha512: Digest = (bytes) => crypto.subtle.digest('SHA-512', bytes)
    const shownAs = (signed: Signed, statement: Signed): PendingConfirmation => {
      const nonce = randomBytes(64)
      const hash = createHash('sha512')
        .update(`${domainOf(signed)}\0`)
        .update(nonce)
      const challenge = hash.update(canonicalize(signed) ?? '').digest('base64')
      return { ...statement, statement, nonce: nonce.toString('base64'), challenge } as unknown as PendingConfirmation
    }
    const outcomes = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(mutant, async ({ statement, changed }) => {
        const outcome = await confirmationChallenge(sha512, shownAs(statement, changed), 7).then(
          () => 'signed',
          ({ code }: { readonly code: string }) => code,
        )
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }),
      { numRuns: 7500, seed },
    )
    expect([...outcomes]).toEqual([['CHALLENGE_MISMATCH', 7500]])
    for (const statement of [asked, vote]) {
      const shown = shownAs(statement, statement)
      await expect(confirmationChallenge(sha512, shown, 7)).resolves.toBe(shown.challenge)
    }
  })
})
