import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import canonicalize from 'canonicalize'
import {
  aStatement,
  createDeviceKey,
  createIssuer,
  type DeviceAlgorithm,
  deviceId,
  expiresAt,
  issuedAt,
  makeReceipt,
  type ReceiptParts,
} from './make-receipt.ts'

// Writes the vectors of `packages/contract/vectors`, from the text of the format alone:
//   node --conditions=@countersign/source packages/client-sdk/src/testing/make-vectors.ts

const directory = new URL('../../../contract/vectors/', import.meta.url)

const requester = { kind: 'user', id: 9, externalId: 'eve', name: 'Eve' }
const approval = { id: 'appr_1', policy: { version: 1, band: 0, digest: 'A'.repeat(43) }, count: 2 }
const delegatedBy = { id: 10, externalId: null, name: 'Ada' }
const vote = { ...aStatement, requester, approval }
const display = {
  ar: { direction: 'rtl', title: 'دفعة', lines: [{ label: 'المبلغ', value: '\u20681,250.50 EUR\u2069', lead: true }] },
  de: { direction: 'ltr', title: 'Zahlung', lines: [{ label: 'Betrag', value: '\u20681.250,50 EUR\u2069', lead: true }] },
}
const registered = { ...aStatement, actionType: 'wire_transfer', actionTypeVersion: '1.0.0', display }

const statements: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a payment': aStatement,
  'a registered type in two languages': registered,
  'a service that asks for somebody': {
    ...aStatement,
    requester: { kind: 'service', id: null, externalId: null, name: 'billing' },
    onBehalfOf: 'Ada’s Workshop',
  },
  'a context': { ...aStatement, context: { agent: 'clerk', tool: 'pay', run: '17', reason: 'Rent', ticket: '4711' } },
  'a tenant and an operation': { ...aStatement, tenant: 'acme', operation: 'bank.pay' },
  'ids of the directory of the host': {
    ...aStatement,
    subject: { id: 7, externalId: 'u-7' },
    requester: { kind: 'user', id: 8, externalId: 'u-8', name: 'Bob' },
  },
  'a payload that canonical JSON must order': {
    ...aStatement,
    actionPayload: { '10': 1e21, '9': 0.1, z: [null, true, 'ł €\u2028 🦉 "\\\n'], a: {}, דּ: 1, '€': -0 },
  },
  'one vote of two': vote,
  'one vote of a delegate': { ...vote, approval: { ...approval, delegatedBy } },
  'one vote for a registered type': { ...registered, requester, approval },
}

const domainOf = (statement: object): string => `countersign.${'approval' in statement ? 'approval' : 'confirmation'}.v1`

interface Case {
  readonly name: string
  readonly expected: 'genuine' | 'partial' | 'refused'
  readonly step?: string
  readonly [member: string]: unknown
}

const cases: Case[] = []
type Made = Awaited<ReturnType<typeof makeReceipt>>

const add = (name: string, expected: Case['expected'], { receipt, keys }: Made, step?: string): void => {
  cases.push({ name, expected, ...(step === undefined ? {} : { step }), receipt, keys })
}

const issuers = [await createIssuer('Ed25519'), await createIssuer('ES256')]
const deviceKeys = await Promise.all((['ES256', 'RS256', 'PS256'] satisfies DeviceAlgorithm[]).map((one) => createDeviceKey(one)))
const [issuer, deviceKey] = [issuers[0], deviceKeys[0]]
if (issuer === undefined || deviceKey === undefined) throw new TypeError('there is a key of each kind')

const make = (changes: Partial<ReceiptParts> = {}): Promise<Made> => {
  const { statement = aStatement } = changes
  return makeReceipt({ issuer, deviceKey, domain: domainOf(statement), ...changes })
}

for (const [what, statement] of Object.entries(statements)) {
  for (const one of issuers) {
    for (const key of deviceKeys) {
      for (const over of ['text', 'bytes'] as const) {
        const name = `${what}, issuer ${one.published.alg}, device ${key.algorithm} over ${over}`
        add(name, 'genuine', await make({ statement, issuer: one, deviceKey: key, over }))
      }
    }
  }
}
for (const salt of [0, 1, 20, 64, 222]) {
  add(`an RSA-PSS salt of ${salt} bytes`, 'genuine', await make({ deviceKey: await createDeviceKey('PS256', salt) }))
}
for (const one of issuers) {
  for (const key of deviceKeys) {
    for (const disclosed of [
      [],
      ['approver'],
      ['registration'],
      ['registration', 'approver'],
      ['statement'],
      ['statement', 'approver'],
    ]) {
      const name = `only the disclosures [${disclosed.join(', ')}], issuer ${one.published.alg}, device ${key.algorithm}`
      add(name, 'partial', await make({ issuer: one, deviceKey: key, disclosed: disclosed as ReceiptParts['disclosed'] }))
    }
  }
}

const refuse = async (name: string, step: string, changes: Partial<ReceiptParts>): Promise<void> =>
  add(name, 'refused', await make(changes), step)

const without = (members: Readonly<Record<string, unknown>>, name: string) =>
  Object.fromEntries(Object.entries(members).filter(([one]) => one !== name))

const swapped: Readonly<Record<string, unknown>> = {
  iss: 'https://example.com',
  confirmationId: 'conf_2',
  createdAt: '2025-11-23T09:59:00.000Z',
  expiresAt: '2025-11-23T10:06:00.000Z',
  tenant: 'acme',
  subject: { id: 8, externalId: null },
  requester,
  onBehalfOf: 'Eve',
  context: { reason: 'Rent' },
  operation: 'bank.pay',
  actionType: 'purchase_order',
  actionTypeVersion: '1.0.0',
  actionPayload: { ...aStatement.actionPayload, amount: 9 },
  display,
}
for (const [name, value] of Object.entries(swapped)) {
  await refuse(`the statement shows another ${name} than the signed one`, 'statement', {
    shownStatement: { ...aStatement, [name]: value },
  })
  await refuse(`the statement has no ${name}`, 'statement', { statement: without(aStatement, name) })
  await refuse(`the statement has a number as ${name}`, 'statement', { statement: { ...aStatement, [name]: 7 } })
}
const inTenant = { ...aStatement, tenant: 'acme' }
for (const tenant of [null, 'Acme', 'acme.eu']) {
  await refuse(`a statement in the tenant acme shows the tenant ${tenant}`, 'statement', {
    statement: inTenant,
    shownStatement: { ...inTenant, tenant },
  })
}
for (const name of ['iss', 'confirmationId', 'expiresAt']) {
  await refuse(`the device signed another ${name} than the issuer`, 'statement', {
    statement: { ...aStatement, [name]: swapped[name] },
  })
}
const approvals: readonly (readonly [string, unknown])[] = [
  ['no member', {}],
  ['no id', without(approval, 'id')],
  ['no policy', without(approval, 'policy')],
  ['no count', without(approval, 'count')],
  ['a count of zero', { ...approval, count: 0 }],
  ['a count of a half', { ...approval, count: 1.5 }],
  ['a number as id', { ...approval, id: 1 }],
  ['a member more', { ...approval, more: 1 }],
  ['a policy without a digest', { ...approval, policy: without(approval.policy, 'digest') }],
  ['a policy with a text as version', { ...approval, policy: { ...approval.policy, version: '1' } }],
  ['a policy with a text as band', { ...approval, policy: { ...approval.policy, band: '0' } }],
  ['null', null],
  ['of a delegate of nobody', { ...approval, delegatedBy: null }],
  ['of a delegate of a name', { ...approval, delegatedBy: 'Ada' }],
  ['of a delegate of a person without a name', { ...approval, delegatedBy: without(delegatedBy, 'name') }],
  ['of a delegate of a person whose id is a text', { ...approval, delegatedBy: { ...delegatedBy, id: '10' } }],
  ['of a delegate of the person who asked', { ...approval, delegatedBy: { ...delegatedBy, id: requester.id } }],
  ['of a delegate of the own person', { ...approval, delegatedBy: { ...delegatedBy, id: 7 } }],
]
for (const [what, value] of approvals) {
  await refuse(`the approval of a vote is: ${what}`, 'statement', { statement: { ...vote, approval: value } })
}
for (const [what, value] of [
  ['another request', { ...approval, id: 'appr_2' }],
  ['another count', { ...approval, count: 1 }],
  ['another policy', { ...approval, policy: { ...approval.policy, digest: 'B'.repeat(43) } }],
  ['another band', { ...approval, policy: { ...approval.policy, band: 1 } }],
  ['a delegation more', { ...approval, delegatedBy }],
] as const) {
  await refuse(`a vote shows ${what} than the signed one`, 'statement', {
    statement: vote,
    shownStatement: { ...vote, approval: value },
  })
}
await refuse('the vote of the person who asked', 'statement', { statement: { ...vote, requester: { ...requester, id: 7 } } })
await refuse('a vote shown as the confirmation of one person', 'statement', {
  statement: vote,
  shownStatement: without(vote, 'approval'),
})
await refuse('a vote signed with the domain of one person', 'statement', {
  statement: vote,
  domain: 'countersign.confirmation.v1',
})
await refuse('a member of the statement more', 'statement', { statement: { ...aStatement, more: null } })
await refuse('asked after it was approved', 'statement', { statement: { ...aStatement, createdAt: '2025-11-23T10:00:31.000Z' } })
for (const domain of ['countersign.approval.v1', 'countersign.device-login.v1', 'countersign.device-registration.v1', '']) {
  await refuse(`the challenge has the domain “${domain}”`, 'statement', { domain })
}
const wordsWith = (line: object) => ({ en: { direction: 'ltr', title: 'x', lines: [line] } })
const parts: readonly (readonly [string, object])[] = [
  ['a person without an external id', { subject: { id: 7 } }],
  ['a person whose id is a text', { subject: { id: '7', externalId: null } }],
  ['a service with an id', { requester: { kind: 'service', id: 3, externalId: null, name: 'billing' } }],
  ['a user without an id', { requester: { ...requester, id: null } }],
  ['a requester of another kind', { requester: { ...requester, kind: 'agent' } }],
  ['a requester without a name', { requester: without(requester, 'name') }],
  ['a context with a number', { context: { run: 7 } }],
  ['a context that is a list', { context: [] }],
  ['words without a direction', { display: { en: { title: 'x', lines: [] } } }],
  ['words with another direction', { display: { en: { direction: 'up', title: 'x', lines: [] } } }],
  ['words without lines', { display: { en: { direction: 'ltr', title: 'x' } } }],
  ['a line without a value', { display: wordsWith({ label: 'x' }) }],
  ['a line that leads without a value', { display: wordsWith({ label: 'x', lead: true }) }],
  ['a line that says that it does not lead', { display: wordsWith({ label: 'x', value: 'y', lead: false }) }],
  ['a line that leads by a number', { display: wordsWith({ label: 'x', value: 'y', lead: 1 }) }],
  ['a line with a further member', { display: wordsWith({ label: 'x', value: 'y', more: true }) }],
  ['a payload that is a list', { actionPayload: [] }],
]
for (const [what, change] of parts)
  await refuse(`the statement has ${what}`, 'statement', { statement: { ...aStatement, ...change } })

await refuse('another type of token', 'format', { header: { typ: 'JWT' } })
await refuse('a critical extension', 'format', { header: { crit: ['b64'], b64: true } })
await refuse('a key in the header', 'format', { header: { jwk: {} } })
const genuine = await make()
const [jws = '', first = '', second = '', third = ''] = genuine.receipt.split('~')
const texts: readonly (readonly [string, string, string])[] = [
  ['an empty text', 'format', ''],
  ['no tilde at the end', 'format', genuine.receipt.slice(0, -1)],
  ['a key-binding JWT', 'format', `${genuine.receipt}a.b.c`],
  ['a JWS of two parts', 'format', `${jws.split('.').slice(0, 2).join('.')}~`],
  ['a disclosure twice', 'disclosure', [jws, first, first, second, third, ''].join('~')],
]
for (const [what, step, receipt] of texts) add(what, 'refused', { ...genuine, receipt }, step)
const other = await make({ statement: { ...aStatement, context: { reason: 'x' } } })
add(
  'the disclosure of another receipt',
  'refused',
  { ...genuine, receipt: [jws, other.receipt.split('~')[1], second, third, ''].join('~') },
  'disclosure',
)
add(
  'the signature of another receipt',
  'refused',
  {
    ...genuine,
    receipt: [jws.replace(/[^.]+$/, other.receipt.split('~')[0]?.split('.')[2] ?? ''), first, second, third, ''].join('~'),
  },
  'issuer',
)

const claims: readonly (readonly [string, object])[] = [
  ['another hash algorithm', { _sd_alg: 'sha-512' }],
  ['an expiry', { exp: issuedAt + 60 }],
  ['a holder key', { cnf: {} }],
  ['a statement in clear', { statement: {} }],
  ['no issuer', { iss: undefined }],
  ['another id than its confirmation', { jti: 'conf_2' }],
  ['a time before the approval', { iat: issuedAt - 60 }],
  ['a device that somebody attested', { device: { id: deviceId, jwk: deviceKey.jwk, assurance: 'attested' } }],
  ['a device without an assurance', { device: { id: deviceId, jwk: deviceKey.jwk } }],
  ['a device without an id', { device: { jwk: deviceKey.jwk, assurance: 'unattested' } }],
]
for (const [what, change] of claims) await refuse(`claims with ${what}`, 'claims', { claims: change })
await refuse('no digests of the disclosures', 'disclosure', { claims: { _sd: [] } })
await refuse('a wrong signature of the device', 'signature', {
  claims: { signature: { alg: 'ES256', value: 'A'.repeat(86), over: 'text' } },
})
await refuse('the key of another device', 'signature', {
  claims: { device: { id: deviceId, jwk: (await createDeviceKey()).jwk, assurance: 'unattested' } },
})
for (const [what, change] of [
  ['of another device', { registration: { deviceId: 'x' } }],
  ['of another user', { registration: { userId: 8 } }],
  ['of another key', { registration: { keyThumbprint: 'x' } }],
  ['of another domain', { registrationDomain: 'countersign.device-login.v1' }],
  ['after the approval', { registrationDisclosure: { registeredAt: expiresAt } }],
  ['with a wrong signature', { registrationDisclosure: { value: 'A'.repeat(86) } }],
  ['with another algorithm', { registrationDisclosure: { alg: 'RS256' } }],
] as const) {
  await refuse(`a registration ${what}`, 'registration', change)
}
for (const algorithm of ['ES256', 'RS256'] as const) {
  add(`a passkey with ${algorithm}`, 'genuine', await make({ deviceKey: await createDeviceKey(algorithm), passkey: {} }))
}
add('a synced passkey', 'genuine', await make({ passkey: { flags: 0b11101 } }))
add('a passkey without the statement', 'partial', await make({ passkey: {}, disclosed: ['approver'] }))
await refuse('a passkey with the registration of a device', 'registration', {
  passkey: {},
  disclosed: ['statement', 'registration'],
})
const frame = 'https://other.example'
for (const [what, passkey] of [
  ['the challenge of the confirmation itself', { domain: '' }],
  ['the challenge of a login', { clientData: { challenge: randomBytes(64).toString('base64url') } }],
  ['the creation of a passkey', { clientData: { type: 'webauthn.create' } }],
  ['the page of another origin', { clientData: { origin: 'https://app.example.com.evil.example' } }],
  ['no origin', { clientData: { origin: undefined } }],
  ['a frame of another page', { clientData: { crossOrigin: true } }],
  ['a page within another', { clientData: { topOrigin: frame } }],
  ['another relying party', { signedFor: 'example.org' }],
  ['without its user present', { flags: 0b100 }],
  ['without its user verified', { flags: 0b1 }],
  ['as backed up though it cannot be', { flags: 0b10101 }],
] as const) {
  await refuse(`a passkey signs ${what}`, 'signature', { passkey })
}
await refuse('a passkey with PS256', 'signature', { deviceKey: await createDeviceKey('PS256'), passkey: {} })
const byPasskey = { kind: 'passkey', id: deviceId, jwk: deviceKey.jwk, rpId: 'example.com', assurance: 'unattested' }
await refuse('the signature of a device, shown as that of a passkey', 'claims', { claims: { device: byPasskey } })
for (const [what, device] of [
  ['a passkey without a relying party', without(byPasskey, 'rpId')],
  ['a passkey of another kind', { ...byPasskey, kind: 'card' }],
  ['an attested passkey', { ...byPasskey, assurance: 'attested' }],
] as const) {
  await refuse(`claims with ${what}`, 'claims', { passkey: {}, claims: { device } })
}
await refuse('a passkey of another relying party than it signed for', 'signature', {
  passkey: {},
  claims: { device: { ...byPasskey, rpId: 'example.org' } },
})
const published = issuer.published
add('the key of the issuer is given twice', 'genuine', { ...genuine, keys: { keys: [published, published] as never } })
for (const [what, set] of [
  ['unknown', []],
  ['given twice, with different members', [published, { ...published, exp: issuedAt + 1 }]],
  ['for another algorithm', [{ ...published, alg: 'ES256' }]],
  ['not the one of its id', [{ ...published, x: Buffer.alloc(32, 1).toString('base64url') }]],
  ['not in use yet', [{ ...published, iat: issuedAt + 1 }]],
  ['retired before', [{ ...published, exp: issuedAt - 1 }]],
  ['revoked', [{ ...published, revoked: { revoked_at: issuedAt + 1000, reason: 'stolen' } }]],
] as const) {
  add(`the key of the issuer is ${what}`, 'refused', { ...genuine, keys: { keys: [...set] as never } }, 'key')
}

/** A pending confirmation as the service lists it, for a signer. */
const signing: Case[] = []
const pendingOf = (
  statement: Readonly<Record<string, unknown>>,
  domain = domainOf(statement),
): Readonly<Record<string, unknown>> => {
  const nonce = randomBytes(64)
  const hash = createHash('sha512')
    .update(`${domain}\0`)
    .update(nonce)
    .update(canonicalize(statement) ?? '')
  const { createdAt, actionType, actionTypeVersion, actionPayload } = statement
  return {
    ...{
      confirmationId: statement.confirmationId,
      createdAt,
      expiresAt: statement.expiresAt,
      actionType,
      actionTypeVersion,
      actionPayload,
    },
    display: statement.display,
    statement,
    nonce: nonce.toString('base64'),
    challenge: hash.digest('base64'),
  }
}
const sign = (name: string, expected: Case['expected'], confirmation: object): void => {
  signing.push({ name, expected, ...(expected === 'refused' && { step: 'statement' }), userId: 7, confirmation })
}
for (const [what, statement] of Object.entries(statements)) sign(what, 'genuine', pendingOf(statement))
const pending = pendingOf(aStatement)
for (const [name, value] of Object.entries(swapped)) {
  sign(`the statement has another ${name} than the challenge`, 'refused', {
    ...pending,
    statement: { ...aStatement, [name]: value },
  })
  sign(`the statement has no ${name}`, 'refused', pendingOf(without(aStatement, name)))
  if (name in pending) sign(`another ${name} is shown than the signed one`, 'refused', { ...pending, [name]: value })
}
for (const tenant of [null, 'Acme', 'acme.eu']) {
  sign(`a statement in the tenant acme shows the tenant ${tenant}`, 'refused', {
    ...pendingOf(inTenant),
    statement: { ...inTenant, tenant },
  })
}
sign('a person who is not asked', 'refused', pendingOf({ ...aStatement, subject: { id: 8, externalId: null } }))
sign(
  'the vote of a delegate of the person who asked',
  'refused',
  pendingOf({ ...vote, approval: { ...approval, delegatedBy: { ...delegatedBy, id: requester.id } } }),
)
sign('the vote of the person who asked', 'refused', pendingOf({ ...vote, requester: { ...requester, id: 7 } }))
sign('a vote with the domain of one person', 'refused', pendingOf(vote, 'countersign.confirmation.v1'))
sign('the confirmation of one person with the domain of a vote', 'refused', pendingOf(aStatement, 'countersign.approval.v1'))
sign('a login', 'refused', pendingOf(aStatement, 'countersign.device-login.v1'))
sign('a member of the statement more', 'refused', pendingOf({ ...aStatement, more: null }))
sign('another nonce', 'refused', { ...pending, nonce: Buffer.alloc(64).toString('base64') })
sign('no nonce', 'refused', { ...pending, nonce: undefined })
sign('another challenge', 'refused', { ...pending, challenge: Buffer.alloc(64).toString('base64') })

mkdirSync(directory, { recursive: true })
const write = (file: string, about: string, list: readonly Case[]): void =>
  writeFileSync(new URL(file, directory), `${JSON.stringify({ about, cases: list }, undefined, 1)}\n`)
write(
  'receipts.json',
  'Receipts with the keys that a verifier holds, and the verdict. A refused receipt has the step that fails.',
  cases,
)
write('signing.json', 'Pending confirmations for the user 7, and whether a signer signs them (genuine) or refuses.', signing)
