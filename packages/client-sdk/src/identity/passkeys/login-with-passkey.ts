import type { Input, Output } from '@countersign/contract'
import type { CallOptions, StepDeps } from '../../http/call.ts'
import { CountersignError, hasCode } from '../../shared/errors/countersign-error.ts'
import { within } from '../../shared/time/deadline.ts'
import { credentialOf, requirePasskeys } from './ask-browser.ts'
import type { Ceremony } from './ceremony.ts'
import { fromAsserted, toRequestOptions } from './credential-json.ts'

/** How a person is asked for a passkey; everything may be left out. */
export type LoginWithPasskey = Input<'passkeys.beginLogin'> & {
  /**
   * Offers passkeys in the autofill list of an `<input autocomplete="username webauthn">` instead of a dialog. Called when
   * the page opens, it waits until the person picks one, for as long as the page is open, or until the signal aborts.
   */
  readonly autofill?: boolean
  /** Keeps the session for thirty days from now, instead of three that each renewal gives again. */
  readonly rememberMe?: boolean
}

interface PasskeyDeps extends StepDeps {
  readonly ceremony: Ceremony
}

/** Of a challenge's life, the part for which a person may still pick a passkey: what remains is for the way back. */
const USABLE = 0.9

/** @throws CountersignError `UNSUPPORTED` */
const requireAutofill = async (): Promise<void> => {
  if (await PublicKeyCredential.isConditionalMediationAvailable?.()) return
  throw new CountersignError('This platform has no passkeys in autofill lists', { code: 'UNSUPPORTED' })
}

const askBrowser = async (
  options: Output<'passkeys.beginLogin'>['publicKey'],
  autofill: boolean,
  signal: AbortSignal,
): Promise<PublicKeyCredential> => {
  if (!autofill) return credentialOf(() => navigator.credentials.get({ publicKey: toRequestOptions(options), signal }), signal)
  // In an autofill list, browsers heed no timeout, and the challenge would be too old by the time that somebody picks.
  return within(options.timeout * USABLE, signal, (stop) =>
    credentialOf(
      () => navigator.credentials.get({ publicKey: toRequestOptions(options), mediation: 'conditional', signal: stop }),
      stop,
    ),
  )
}

/** Has the browser sign with a passkey, and logs in by it. */
export const loginWithPasskey = async (
  { call, inSteps, ceremony }: PasskeyDeps,
  input?: LoginWithPasskey,
  options?: CallOptions,
): Promise<Output<'passkeys.finishLogin'>> => {
  const { autofill = false, rememberMe, ...wishes } = { ...input }
  requirePasskeys()
  if (autofill) await requireAutofill()
  const remember = rememberMe === undefined ? {} : { rememberMe }
  return ceremony(options?.signal, async (newest) => {
    /** Each challenge has its time limit: one that waits in a list may see any number of them. */
    const tryOnce = () =>
      inSteps({ ...options, signal: newest }, async (step, uncounted) => {
        const { challengeId, publicKey } = await call('passkeys.beginLogin', wishes, step)
        const given = await uncounted(() => askBrowser(publicKey, autofill, step.signal)).catch((error: unknown) => {
          // Nobody has picked one yet: on with a fresh challenge.
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
