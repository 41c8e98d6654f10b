import type { ReceiptKeys } from '@countersign/client-sdk/receipt'
import { CommandFailed } from '../../shared/failures.ts'
import { parseJson } from '../../shared/parse-json.ts'
import { collectAtMost, readAtMost } from '../../shared/read-at-most.ts'
import { MOST_BYTES } from './read-receipt.ts'

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/

const TIMEOUT_MS = 10_000

/** Returns the URL to fetch keys from. Keys are trusted, so nobody on the way must be able to replace them. */
const safeUrl = (text: string): URL => {
  const url = URL.parse(text)
  if (url === null) throw new CommandFailed('the URL of the keys is malformed')
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new CommandFailed('keys are fetched by https only, or by http from this machine')
  }
  return url
}

const readUrl = async (text: string): Promise<Buffer | undefined> => {
  const url = safeUrl(text)
  try {
    const { ok, status, body } = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!ok) throw new CommandFailed(`the keys cannot be fetched: the server answered ${status}`)
    return body === null ? Buffer.alloc(0) : await collectAtMost(body, MOST_BYTES)
  } catch (cause) {
    if (cause instanceof CommandFailed) throw cause
    const isLate = (cause as Error).name === 'TimeoutError'
    throw new CommandFailed(`the keys cannot be fetched: ${isLate ? 'no answer in time' : 'no connection, or a redirect'}`, {
      cause,
    })
  }
}

const isKeySet = (value: unknown): value is ReceiptKeys => {
  const { keys } = (value ?? {}) as Partial<ReceiptKeys>
  return Array.isArray(keys) && keys.every((key: unknown) => typeof key === 'object' && key !== null)
}

/** Reads the keys of an issuer from a file or an https URL, or by http from this machine. @throws CommandFailed */
export const readKeys = async (from: string): Promise<ReceiptKeys> => {
  const bytes = await (/^https?:\/\//i.test(from) ? readUrl(from) : readAtMost(from, MOST_BYTES))
  if (bytes === undefined) throw new CommandFailed('the keys are too long to be keys of an issuer')
  const keys = parseJson(bytes.toString())
  if (!isKeySet(keys)) throw new CommandFailed('the keys are no JWK set: expected { "keys": [ … ] }')
  return keys
}
