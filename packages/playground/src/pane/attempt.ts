import { describeFailure } from './describe-failure.ts'
import { pane } from './pane.ts'
import { judgeFailure } from './session.ts'

/** Shows a failure, and signs the pane out if its session has ended. */
export const showFailure = async (error: unknown): Promise<void> => {
  const judged = await judgeFailure(error).catch((failure: unknown) => failure)
  pane.notice.value = { kind: 'failed', text: describeFailure(judged) }
}

/** Runs one action of a pane at a time, and shows its text or the reason of its failure. Never rejects. */
export const attempt = async (action: () => Promise<string>): Promise<void> => {
  if (pane.busy.peek()) return
  pane.busy.value = true
  pane.notice.value = undefined
  try {
    pane.notice.value = { kind: 'done', text: await action() }
  } catch (error) {
    await showFailure(error)
  } finally {
    pane.busy.value = false
  }
}
