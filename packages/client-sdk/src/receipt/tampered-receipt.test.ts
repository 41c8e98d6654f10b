import { beforeAll, describe, expect, it, vi } from 'vitest'
import { CountersignError } from '../shared/errors/countersign-error.ts'
import { makeReceipt } from '../testing/make-receipt.ts'
import { type ReceiptKeys, type ReceiptStep, verifyReceipt } from './index.ts'

let receipt: string
let keys: ReceiptKeys
beforeAll(async () => {
  ;({ receipt, keys } = await makeReceipt())
})

/** Returns the step at which a text is refused, and throws if the text is not refused. */
const stepOf = async (text: string): Promise<ReceiptStep> => {
  const verdict = await verifyReceipt(text, { keys })
  if (verdict.verdict !== 'refused') throw new Error(`accepted as ${verdict.verdict}: ${text}`)
  return verdict.step
}

const withCharacter = (at: number, code: number): string =>
  receipt.slice(0, at) + String.fromCharCode(code) + receipt.slice(at + 1)

/** Returns whether a part is base64url without padding, with zero tail bits. */
const isBase64Url = (part: string): boolean => part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part

/** Reads a part that is JSON, written as `JSON.stringify` writes it. */
const read = (part: string): unknown => {
  try {
    const json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(part, 'base64url'))
    return isBase64Url(part) && JSON.stringify(JSON.parse(json)) === json ? JSON.parse(json) : undefined
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const disclosureStep = (part: string): ReceiptStep | undefined => {
  const value = read(part)
  if (!Array.isArray(value) || value.length !== 3) return 'format'
  const [salt, name] = value as readonly unknown[]
  if (typeof salt !== 'string' || typeof name !== 'string') return 'format'
  return ['statement', 'registration', 'approver'].includes(name) ? undefined : 'disclosure'
}

/** The only right step for a changed receipt, from the text of the format and without the code of the verifier. */
const rightStep = (text: string): ReceiptStep => {
  if (!text.endsWith('~')) return 'format'
  const [jws = '', ...disclosures] = text.slice(0, -1).split('~')
  const [header = '', payload = '', signature = '', ...rest] = jws.split('.')
  const members = read(header)
  if (rest.length > 0 || !isBase64Url(signature) || !isRecord(members) || !isRecord(read(payload))) return 'format'
  const { alg, kid, typ, ...others } = members
  if (typ !== 'countersign-receipt+sd-jwt' || Object.keys(others).length > 0) return 'format'
  if (typeof alg !== 'string' || typeof kid !== 'string') return 'format'
  const malformed = disclosures.map(disclosureStep).find((step) => step !== undefined)
  if (malformed !== undefined) return malformed
  const names = disclosures.map((part) => (read(part) as readonly string[])[1])
  if (new Set(names).size < names.length) return 'disclosure'
  if (header !== receipt.split('.')[0]) return 'key'
  return jws === receipt.split('~')[0] ? 'disclosure' : 'issuer'
}

const expectRightStep = async (text: string, what: string): Promise<ReceiptStep> => {
  const step = await stepOf(text)
  expect(step, what).toBe(rightStep(text))
  return step
}

describe('a changed receipt is refused', () => {
  it('if any byte is changed, and the verdict names the right step', async () => {
    const steps = new Set<ReceiptStep>()
    for (let at = 0; at < receipt.length; at += 1) {
      steps.add(await expectRightStep(withCharacter(at, receipt.charCodeAt(at) ^ (1 << (at % 7))), `byte ${at}`))
    }
    expect([...steps].sort()).toStrictEqual(['disclosure', 'format', 'issuer', 'key'])
  })

  it('if any bit is flipped, at places in every part', async () => {
    for (let at = 0; at < receipt.length; at += 37) {
      for (let bit = 0; bit < 8; bit += 1) {
        await expectRightStep(withCharacter(at, receipt.charCodeAt(at) ^ (1 << bit)), `bit ${bit} of byte ${at}`)
      }
    }
  })

  it('if any base64url character is replaced by another, and the verdict names the right step', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (let at = 0; at < receipt.length; at += 1) {
      const place = alphabet.indexOf(receipt[at] ?? '')
      if (place >= 0) await expectRightStep(withCharacter(at, alphabet.charCodeAt((place + 1) % 64)), `character ${at}`)
    }
  })

  it('if it ends early, at any place', async () => {
    for (let length = 0; length < receipt.length - 1; length += 1) {
      const verdict = await verifyReceipt(receipt.slice(0, length), { keys })
      // The text up to a tilde is the receipt with fewer disclosures. The last one is the approver, whom no verdict needs.
      const isWhole = receipt[length - 1] === '~'
      const isGenuine = receipt.slice(0, length).split('~').length === 4
      expect(verdict.verdict).toBe(isWhole ? (isGenuine ? 'genuine' : 'partial') : 'refused')
    }
  }, 30_000)

  it('if white space, padding or a line end is added', async () => {
    for (const text of [` ${receipt}`, `${receipt}\n`, receipt.replace('~', '=~'), receipt.replace('.', '. ')]) {
      expect(await stepOf(text)).toBe('format')
    }
  })
})

describe('the disclosures of a receipt', () => {
  const parts = () => {
    const [jws = '', statement = '', registration = '', approver = ''] = receipt.split('~')
    return { jws, statement, registration, approver }
  }
  const joined = (...texts: readonly string[]) => [...texts, ''].join('~')

  it('may come in any order', async () => {
    const { jws, statement, registration, approver } = parts()
    expect(await verifyReceipt(joined(jws, approver, registration, statement), { keys })).toStrictEqual(
      await verifyReceipt(receipt, { keys }),
    )
  })

  it('are refused if one appears twice, is empty, or belongs to another receipt', async () => {
    const { jws, statement, registration, approver } = parts()
    const [, ...foreign] = (await makeReceipt()).receipt.split('~')
    expect(await stepOf(joined(jws, statement, registration, approver, approver))).toBe('disclosure')
    expect(await stepOf(joined(jws, statement, '', approver))).toBe('format')
    expect(await stepOf([jws, ...foreign].join('~'))).toBe('disclosure')
  })

  it.each([
    ['no array', { statement: 1 }, 'format'],
    ['an array of two members, as for an element', ['salt', 'statement'], 'format'],
    ['an array of four members', ['salt', 'statement', {}, 1], 'format'],
    ['without a text as salt', [1, 'statement', {}], 'format'],
    ['of an unknown name', ['salt', 'verdict', 'genuine'], 'disclosure'],
    ['of a claim that is not selectively disclosed', ['salt', 'iss', 'x'], 'disclosure'],
    ['of the name of a digest list', ['salt', '_sd', []], 'disclosure'],
  ])('are refused if one is %s', async (_, content, step) => {
    const added = Buffer.from(JSON.stringify(content)).toString('base64url')
    expect(await stepOf(`${receipt}${added}~`)).toBe(step)
  })

  it.each([
    ['a repeated member', '["salt","approver",{"email":"a","email":"b","name":"c"}]'],
    ['white space', '["salt", "approver", {"email":"a","name":"c"}]'],
    ['an escape that needs none', '["salt","approver",{"email":"\\u0061","name":"c"}]'],
  ])('are refused if one is written with %s', async (_, json) => {
    expect(await stepOf(`${receipt}${Buffer.from(json).toString('base64url')}~`)).toBe('format')
  })

  it('are refused if two of one name are signed', async () => {
    const { jws, approver } = parts()
    const other = Buffer.from(JSON.stringify(['other', 'approver', {}])).toString('base64url')
    expect(await stepOf(joined(jws, approver, other))).toBe('disclosure')
  })
})

describe('members that appear twice', () => {
  const rewritten = (part: 0 | 1, change: (json: string) => string): string => {
    const [jws = '', ...disclosures] = receipt.split('~')
    const parts = jws.split('.')
    parts[part] = Buffer.from(change(Buffer.from(parts[part] ?? '', 'base64url').toString())).toString('base64url')
    return [parts.join('.'), ...disclosures].join('~')
  }

  it('are refused in the header and in the payload', async () => {
    expect(await stepOf(rewritten(0, (json) => json.replace('{', '{"alg":"none",')))).toBe('format')
    expect(await stepOf(rewritten(1, (json) => json.replace('{', '{"iss":"https://example.com",')))).toBe('format')
  })

  it('are refused also if the names differ only in an escape sequence', async () => {
    expect(await stepOf(rewritten(0, (json) => json.replace('{', '{"\\u0061lg":"none",')))).toBe('format')
  })
})

describe('a platform', () => {
  const failing = (name: string) => vi.spyOn(globalThis.crypto.subtle, 'importKey').mockRejectedValue(new DOMException('', name))

  it('without the algorithm of the issuer makes verifyReceipt reject instead of giving a verdict', async () => {
    const spy = failing('NotSupportedError')
    const failure = await verifyReceipt(receipt, { keys }).catch((error: unknown) => error)
    spy.mockRestore()
    expect(failure).toBeInstanceOf(CountersignError)
    expect(failure).toMatchObject({ code: 'UNSUPPORTED', message: 'The WebCrypto of this platform lacks Ed25519' })
  })

  it('that calls the key malformed makes the verdict refused', async () => {
    const spy = failing('DataError')
    const verdict = await verifyReceipt(receipt, { keys })
    spy.mockRestore()
    expect(verdict).toMatchObject({ verdict: 'refused', step: 'key' })
  })
})
