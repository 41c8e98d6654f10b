import { describeFailure } from './describe-failure.ts'
import type { Pane } from './pane.ts'
import { judgeFailure } from './session.ts'

/** Tells of a failure, and of what it means for the session. */
export const tellFailure = async (pane: Pane, error: unknown): Promise<void> => {
  const told = await judgeFailure(pane, error).catch((failure: unknown) => failure)
  pane.notice.value = { kind: 'failed', text: describeFailure(told) }
}

/**
 * Runs an action of a pane, one at a time, and tells in words what it came to: the text that it resolves with, or why it
 * failed. Never rejects.
 */
export const attempt = async (pane: Pane, action: () => Promise<string>): Promise<void> => {
  if (pane.busy.peek()) return
  pane.busy.value = true
  pane.notice.value = undefined
  try {
    pane.notice.value = { kind: 'done', text: await action() }
  } catch (error) {
    await tellFailure(pane, error)
  } finally {
    pane.busy.value = false
  }
}
