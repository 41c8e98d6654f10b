import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { verifyReceipt } from '@countersign/client-sdk/receipt'
import { SDJwtInstance } from '@sd-jwt/core'
import { compactVerify, importJWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { type ReceiptVector, receiptVectors } from '../src/testing/receipt-vectors.ts'

const named = receiptVectors.map((vector) => [vector.name, vector] as const)

/** The vectors whose issuer signature and disclosures are right. SD-JWT knows nothing of the other steps. */
const signed = named.filter(
  ([, { expected }]) => !['format', 'key', 'issuer', 'disclosure', 'claims'].includes(expected.step ?? ''),
)

describe('a vector has its verdict', () => {
  it('in every one of many files', () => expect(named.length).toBeGreaterThanOrEqual(25))

  it.each(named)('%s', async (_, { receipt, keys, expected }) => {
    expect(await verifyReceipt(receipt, { keys })).toMatchObject(expected)
  })
})

describe('@sd-jwt/core and jose', () => {
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

  it.each(signed)('accept the signature and the disclosures of %s', async (_, { receipt, keys }) => {
    const [jwk] = keys.keys
    const { statement, ...claims } = await open(receipt, { ...jwk }, jwk?.alg ?? '')
    const disclosures = receipt.split('~').slice(1, -1)
    expect(Object.keys(claims)).toStrictEqual(
      expect.arrayContaining(['iss', 'iat', 'jti', 'confirmation', 'signature', 'device']),
    )
    if (disclosures.length === 3) expect(statement).toStrictEqual({ nonce: expect.any(String), text: expect.any(String) })
  })

  it('refuse changed claims, and do not read the disclosure of another receipt', async () => {
    const openVector = (name: string) => {
      const { receipt, keys } = receiptVectors.find((vector) => vector.name === name) as ReceiptVector
      return open(receipt, { ...keys.keys[0] }, 'Ed25519')
    }
    await expect(openVector('refused-changed-claims')).rejects.toThrow()
    // The library leaves a foreign disclosure out. `verifyReceipt` refuses the whole receipt.
    expect(await openVector('refused-foreign-disclosure')).not.toHaveProperty('statement')
  })
})

const script = fileURLToPath(new URL('../../../docs/receipts/', import.meta.url))
const vectors = fileURLToPath(new URL('receipt-vectors/', import.meta.url))

const python = (code: string) =>
  spawnSync('python3', ['-c', code, vectors], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: script, PYTHONDONTWRITEBYTECODE: '1' },
  })

describe.skipIf(python('import verify_receipt').status !== 0)('the verifier in Python, of the documents', () => {
  it('gives the same verdict for every vector', () => {
    const { stdout, stderr } = python(`
import json, pathlib, sys, verify_receipt
verdicts = {}
for file in pathlib.Path(sys.argv[1]).glob("*.json"):
    vector = json.loads(file.read_text())
    try:
        verdicts[file.stem] = verify_receipt.verify(vector["receipt"], vector["keys"])[0]
    except verify_receipt.Refused as refused:
        verdicts[file.stem] = str(refused)
print(json.dumps(verdicts))
`)
    expect(stderr).toBe('')
    const expected = receiptVectors.map(({ name, expected: { step, verdict } }) => [name, step ?? verdict])
    expect(JSON.parse(stdout)).toStrictEqual(Object.fromEntries(expected))
  })

  it('runs as a command', () => {
    const directory = mkdtempSync(join(tmpdir(), 'cs-receipts-'))
    const [text, set] = [join(directory, 'receipt.txt'), join(directory, 'keys.json')]
    const run = ({ receipt, keys }: ReceiptVector) => {
      writeFileSync(text, receipt)
      writeFileSync(set, JSON.stringify(keys))
      return spawnSync('python3', [join(script, 'verify_receipt.py'), text, set], { encoding: 'utf8' })
    }
    const [genuine, refused] = ['genuine-ed25519-es256', 'refused-changed-claims'].map((name) =>
      run(receiptVectors.find((vector) => vector.name === name) as ReceiptVector),
    )
    rmSync(directory, { recursive: true })
    expect(genuine).toMatchObject({ status: 0, stdout: expect.stringMatching(/^genuine\n[\s\S]*"payment_approval"/) })
    expect(refused).toMatchObject({ status: 1, stderr: 'refused: issuer\n' })
  })
})
