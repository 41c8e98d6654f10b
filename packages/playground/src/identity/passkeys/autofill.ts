import { signal } from '@preact/signals'
import { attempt, showFailure } from '../../pane/attempt.ts'
import { pane } from '../../pane/pane.ts'
import { hasAutofill } from './require-passkeys.ts'
import { type Assertion, askForAssertion, handIn } from './sign-in-with-passkey.ts'

/** True if the browser offers passkeys in the suggestions of the e-mail field. */
export const autofill = signal(true)

const isTimeUp = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError'

const chosen = async (stop: AbortSignal): Promise<Assertion | undefined> => {
  while (!stop.aborted) {
    try {
      return await askForAssertion({ mediation: 'conditional', signal: stop })
    } catch (error) {
      if (!stop.aborted && !isTimeUp(error)) throw error
    }
  }
  return undefined
}

/**
 * Offers passkeys in the e-mail field until the person chooses one, with a new offer after each challenge. Errors of the browser
 * are not shown, because the person did not ask. After a refusal the offers end: some authenticators choose the same passkey again.
 */
export const offerPasskeys = async (stop: AbortSignal): Promise<void> => {
  try {
    if (!(await hasAutofill())) return
    const assertion = await chosen(stop)
    if (assertion === undefined) return
    await attempt(() => handIn(assertion))
    if (pane.session.peek() === undefined) autofill.value = false
  } catch (error) {
    if (!(error instanceof DOMException)) await showFailure(error)
  }
}
