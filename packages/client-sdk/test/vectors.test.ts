import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ReceiptKeys, verifyReceipt } from '@countersign/client-sdk/receipt'
import { SDJwtInstance } from '@sd-jwt/core'
import { compactVerify, importJWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { confirmationChallenge } from '../src/approvals/confirmation-challenge.ts'
import type { PendingConfirmation } from '../src/identity/devices/device-signer.ts'
import type { Digest } from '../src/shared/encoding/commitment.ts'

interface Case {
  readonly name: string
  readonly expected: 'genuine' | 'partial' | 'refused'
  readonly step?: string
}
interface ReceiptCase extends Case {
  readonly receipt: string
  readonly keys: ReceiptKeys
}
interface SigningCase extends Case {
  readonly userId: number
  readonly confirmation: PendingConfirmation
}

const directory = new URL('../../contract/vectors/', import.meta.url)
const read = <C extends Case>(file: string): readonly C[] =>
  (JSON.parse(readFileSync(new URL(file, directory), 'utf8')) as { readonly cases: readonly C[] }).cases

const receipts = read<ReceiptCase>('receipts.json')
const signing = read<SigningCase>('signing.json')

const outcome = ({ expected, step }: Case) => (step === undefined ? { verdict: expected } : { verdict: expected, step })

describe('the vectors', () => {
  it('are at least 300 cases with different names, of which at least 100 are refused', () => {
    const all = [...receipts, ...signing]
    expect(all.length).toBeGreaterThanOrEqual(300)
    expect(all.filter(({ expected }) => expected === 'refused').length).toBeGreaterThanOrEqual(100)
    expect(all.filter(({ expected, step }) => (expected === 'refused') !== (step !== undefined))).toEqual([])
    for (const cases of [receipts, signing]) expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  })
})

describe('a receipt of the vectors has its verdict', () => {
  it.each(receipts.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    expect(await verifyReceipt(one.receipt, { keys: one.keys })).toMatchObject(outcome(one))
  })
})

describe('a confirmation of the vectors', () => {
  const sha512: Digest = (bytes) => crypto.subtle.digest('SHA-512', bytes)

  it.each(signing.map((one) => [one.name, one] as const))('is signed or refused: %s', async (_, one) => {
    const challenge = confirmationChallenge(sha512, one.confirmation, one.userId)
    if (one.expected === 'genuine') await expect(challenge).resolves.toBe(one.confirmation.challenge)
    else await expect(challenge).rejects.toMatchObject({ code: 'CHALLENGE_MISMATCH' })
  })
})

describe('@sd-jwt/core and jose', () => {
  /** The cases whose issuer signature and disclosures are right. SD-JWT knows nothing of the other steps. */
  const signed = receipts.filter(({ step = '' }) => !['format', 'key', 'issuer', 'disclosure', 'claims'].includes(step))

  const open = async (receipt: string, jwk: object, alg: string) => {
    const key = await importJWK(jwk as never, alg)
    const instance = new SDJwtInstance({
      hasher: (data) =>
        createHash('sha256')
          .update(Buffer.from(data as string))
          .digest(),
      hashAlg: 'sha-256',
      verifier: async (data, signature) =>
        compactVerify(`${data}.${signature}`, key, { algorithms: [alg] }).then(
          () => true,
          () => false,
        ),
    })
    return (await instance.verify(receipt)).payload as Readonly<Record<string, unknown>>
  }

  it('accept the signature and the disclosures of each case that has valid ones', async () => {
    expect(signed.length).toBeGreaterThan(200)
    for (const { receipt, keys } of signed) {
      const [jwk] = keys.keys
      const { statement, ...claims } = await open(receipt, { ...jwk }, jwk?.alg ?? '')
      const names = ['iss', 'iat', 'jti', 'confirmation', 'signature', 'device']
      expect(Object.keys(claims)).toStrictEqual(expect.arrayContaining(names))
      const disclosures = receipt.split('~').slice(1, -1)
      if (disclosures.length === 3) expect(statement).toStrictEqual({ nonce: expect.any(String), text: expect.any(String) })
    }
  })

  it('refuse the signature of another key, and ignore the disclosure of another receipt', async () => {
    const openCase = (name: string) => {
      const found = receipts.find((one) => one.name === name)
      if (found === undefined) throw new TypeError(`there is no case ${name}`)
      return open(found.receipt, { ...found.keys.keys[0] }, 'Ed25519')
    }
    await expect(openCase('the signature of another receipt')).rejects.toThrow()
    // The library leaves a foreign disclosure out. `verifyReceipt` refuses the whole receipt.
    expect(await openCase('the disclosure of another receipt')).not.toHaveProperty('statement')
  })
})

const scripts = fileURLToPath(new URL('../../../docs/receipts/', import.meta.url))
const python = (args: readonly string[], input?: string) =>
  spawnSync('python3', args, {
    encoding: 'utf8',
    input,
    cwd: scripts,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })

describe.skipIf(python(['-c', 'import verify_receipt']).status !== 0)('the verifier in Python, of the documents', () => {
  it.each([[[]], [['-O']]])('gives the same verdict for every receipt, one line for each, with %j', (options) => {
    const input = receipts.map(({ receipt, keys }) => `${JSON.stringify({ receipt, keys })}\n`).join('')
    const { stdout, stderr } = python([...options, 'verify_receipt.py', '--lines'], input)
    expect(stderr).toBe('')
    const verdicts = stdout.trimEnd().split('\n')
    const told = receipts.map(({ name }, at) => [name, JSON.parse(verdicts[at] ?? 'null') as unknown])
    expect(told).toStrictEqual(receipts.map((one) => [one.name, outcome(one)]))
  })

  it('runs as a command', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cs-receipts-'))
    const [text, set] = [join(folder, 'receipt.txt'), join(folder, 'keys.json')]
    const run = (verdict: string) => {
      const found = receipts.find(({ expected }) => expected === verdict)
      writeFileSync(text, found?.receipt ?? '')
      writeFileSync(set, JSON.stringify(found?.keys))
      return { found, ...python(['verify_receipt.py', text, set]) }
    }
    const [genuine, refused] = [run('genuine'), run('refused')]
    rmSync(folder, { recursive: true })
    expect(genuine).toMatchObject({ status: 0, stdout: expect.stringMatching(/^genuine\n[\s\S]*"payment_approval"/) })
    expect(refused).toMatchObject({ status: 1, stderr: `refused: ${refused.found?.step}\n` })
  })
})
