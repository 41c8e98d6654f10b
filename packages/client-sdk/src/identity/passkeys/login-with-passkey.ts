import type { Input, Output } from '@countersign/contract'
import type { CallOptions, StepDeps } from '../../http/call.ts'
import { hasCode } from '../../shared/errors/countersign-error.ts'
import { unsupported } from '../../shared/platform.ts'
import { within } from '../../shared/time/deadline.ts'
import { credentialOf, requirePasskeys } from './ask-browser.ts'
import type { Ceremony } from './ceremony.ts'
import { fromAsserted, toRequestOptions } from './credential-json.ts'

/** The wishes for a login with a passkey; all optional. */
export type LoginWithPasskey = Input<'passkeys.beginLogin'> & {
  /**
   * Offers passkeys in the autofill list of an `<input autocomplete="username webauthn">`. Call `login` when the page opens: it
   * waits until the person picks a passkey or the signal aborts.
   */
  readonly autofill?: boolean
  /** `true`: the session lasts for the `sessionLifetime`. Otherwise each renewal gives it its `refreshTokenLifetime` again. */
  readonly rememberMe?: boolean
}

/** The part of a challenge's lifetime in which a person may pick a passkey. The rest is for the response of the browser. */
const USABLE = 0.9

/** Checks that the browser offers passkeys in autofill lists. @throws CountersignError `UNSUPPORTED` */
const requireAutofill = async (): Promise<void> => {
  if (await PublicKeyCredential.isConditionalMediationAvailable?.()) return
  throw unsupported('passkeys in autofill lists')
}

const askBrowser = async (
  options: Output<'passkeys.beginLogin'>['publicKey'],
  autofill: boolean,
  signal: AbortSignal,
): Promise<PublicKeyCredential> => {
  if (!autofill) return credentialOf(() => navigator.credentials.get({ publicKey: toRequestOptions(options), signal }), signal)
  // Browsers ignore the timeout of an autofill list, and the challenge would expire before the person picks a passkey.
  return within(options.timeout * USABLE, signal, (stop) =>
    credentialOf(
      () => navigator.credentials.get({ publicKey: toRequestOptions(options), mediation: 'conditional', signal: stop }),
      stop,
    ),
  )
}

/** Has the browser sign with a passkey, and logs in with the signature. */
export const loginWithPasskey = async (
  { call, inSteps, ceremony }: StepDeps & { readonly ceremony: Ceremony },
  input?: LoginWithPasskey,
  options?: CallOptions,
): Promise<Output<'passkeys.finishLogin'>> => {
  const { autofill = false, rememberMe, ...wishes } = { ...input }
  requirePasskeys()
  if (autofill) await requireAutofill()
  const remember = rememberMe === undefined ? {} : { rememberMe }
  return ceremony(options?.signal, async (newest) => {
    /** Runs one attempt with a new challenge. A login in an autofill list may need many, each with its own time limit. */
    const tryOnce = () =>
      inSteps({ ...options, signal: newest }, async (step, uncounted) => {
        const { challengeId, publicKey } = await call('passkeys.beginLogin', wishes, step)
        const given = await uncounted(() => askBrowser(publicKey, autofill, step.signal)).catch((error: unknown) => {
          // The person has not picked a passkey yet, so the next attempt gets a new challenge.
          if (autofill && hasCode(error, 'TIMEOUT')) return undefined
          throw error
        })
        if (given === undefined) return undefined
        return call('passkeys.finishLogin', { challengeId, credential: fromAsserted(given), ...remember }, step)
      })
    for (;;) {
      const output = await tryOnce()
      if (output !== undefined) return output
    }
  })
}
