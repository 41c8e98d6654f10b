import { CountersignError, type ErrorCode } from '@countersign/client-sdk'
import { signal } from '@preact/signals'
import { errorWords, serviceWords } from './error-words.ts'
import { t } from './words.ts'

/** True if an action runs. No other action starts meanwhile. */
export const busy = signal(false)

/** The outcome of the last action, in words. */
export const notice = signal<{ readonly kind: 'done' | 'failed'; readonly text: string }>()

export class PageError extends Error {
  override readonly name = 'PageError'
}

/** Returns whether no answer came. The service may have received the request. */
export const isLost = (error: unknown): boolean =>
  error instanceof CountersignError &&
  (['NETWORK_ERROR', 'TIMEOUT', 'UNAVAILABLE'] satisfies ErrorCode[] as ErrorCode[]).includes(error.code)

/** Says in words of the page why an action failed. */
const describe = (error: unknown): string => {
  if (error instanceof PageError) return error.message
  if (!(error instanceof CountersignError)) return t('failedOther')
  if (error.details.enrolmentCode !== undefined) return t('failedCode')
  if (error.serviceCode === 'account_locked') return t(error.details.reason === 'disabled' ? 'stoppedDisabled' : 'stoppedLocked')
  const word = serviceWords[error.serviceCode ?? ''] ?? errorWords[error.code]
  return t(word, { seconds: error.retryAfter ?? 60 })
}

export const showFailure = (error: unknown): void => {
  notice.value = { kind: 'failed', text: describe(error) }
}

/** Runs one action at a time, and shows its outcome: the text with which it resolves, if any, or why it failed. Never rejects. */
export const act = async (action: () => Promise<unknown>): Promise<void> => {
  if (busy.peek()) return
  busy.value = true
  notice.value = undefined
  try {
    const text = await action()
    if (typeof text === 'string') notice.value = { kind: 'done', text }
  } catch (error) {
    showFailure(error)
  } finally {
    busy.value = false
  }
}
