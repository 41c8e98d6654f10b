import { CountersignError } from '@countersign/client-sdk'
import { signal } from '@preact/signals'
import { attempt, showFailure } from '../../pane/attempt.ts'
import { pane, type Session } from '../../pane/pane.ts'

const begin = (tokens: Session['tokens']): string => {
  pane.session.value = { tokens }
  return 'Signed in with a passkey.'
}

/** Signs in with a passkey that the person chooses in the browser's dialog: without an email, any passkey of this service. */
export const signInWithPasskey = async (wishes: { readonly email?: string } = {}): Promise<string> =>
  begin(await pane.client.passkeys.login(wishes))

/** True if the browser offers passkeys in the suggestions of the e-mail field. */
export const autofill = signal(true)

/**
 * Offers passkeys in the e-mail field until the person chooses one. Errors of the browser are not shown, because the person did not
 * ask. After a refusal the offers end: some authenticators choose the same passkey again.
 */
export const offerPasskeys = async (stop: AbortSignal): Promise<void> => {
  try {
    const tokens = await pane.client.passkeys.login({ autofill: true }, { signal: stop })
    await attempt(async () => begin(tokens))
  } catch (error) {
    if (stop.aborted || !(error instanceof CountersignError) || ['PASSKEY_FAILED', 'UNSUPPORTED'].includes(error.code)) return
    if (error.status === 401) autofill.value = false
    await showFailure(error)
  }
}
