import type { Input } from '@countersign/contract'
import {
  type AssertionChanges,
  type CreationChanges,
  type CreationOptions,
  createVirtualPasskey,
  type RequestOptions,
  type VirtualPasskey,
  type VirtualPasskeyOptions,
} from '@countersign/core/testing'
import { type SignedIn, signIn } from '../sign-in.ts'
import type { SendOptions, TestAnswer, TestApp } from '../test-app.ts'

/** Passkey ceremonies over HTTP that a test can change between begin and finish. */

/** The input that finishes a ceremony, valid or changed. */
export type Finish = Readonly<Record<string, unknown>>

/** A ceremony that has begun. */
export interface Begun<Options, Changes> {
  readonly test: TestApp
  /** The user of the ceremony. */
  readonly owner: SignedIn
  readonly passkey: VirtualPasskey
  readonly challengeId: string
  /** The options that the service sent to the browser. */
  readonly options: Options
  /** Returns the response of browser and authenticator. */
  answer(changes?: Changes): Finish
  /** Finishes the ceremony, by default with the right token. */
  finish(input: Finish, options?: SendOptions): Promise<TestAnswer>
  /** Returns everything that a ceremony can change: the passkeys and sessions of the owner and of later users. */
  state(): Promise<unknown>
}

export type BegunRegistration = Begun<CreationOptions, CreationChanges>
export type BegunLogin = Begun<RequestOptions, AssertionChanges>

/** More users than any ceremony involves. */
const MOST_USERS = 10

const stateOf = async ({ storage, clock }: TestApp, { user }: SignedIn) => {
  const users = await storage.users.list({ afterId: user.id - 1, limit: MOST_USERS })
  return Promise.all(
    users.map(async ({ id }) => ({
      passkeys: await storage.passkeys.allOfUser(id),
      sessions: await storage.sessions.ofUser(id, clock.now()),
    })),
  )
}

/** The parameters of a valid registration. Most browsers and authenticators use these defaults. */
export interface RegistrationCeremony {
  readonly passkey?: VirtualPasskeyOptions
  readonly begin?: Input<'passkeys.beginRegistration'>
  readonly changes?: CreationChanges
}

/** Begins a registration. Creates a user if none is given. */
export const beginRegistration = async (
  test: TestApp,
  { passkey: options = {}, begin = {}, changes: usual }: RegistrationCeremony = {},
  given?: SignedIn,
): Promise<BegunRegistration> => {
  const owner = given ?? (await signIn(test))
  const { token } = owner
  const passkey = createVirtualPasskey(options)
  const { challengeId, publicKey } = await test.ask('passkeys.beginRegistration', begin, { token })
  return {
    test,
    owner,
    passkey,
    challengeId,
    options: publicKey,
    answer: (changes) => ({ challengeId, credential: passkey.create(publicKey, { ...usual, ...changes }) }),
    finish: (input, sent) => test.call('passkeys.finishRegistration', input, { token, ...sent }),
    state: () => stateOf(test, owner),
  }
}

/** The parameters of a valid login. */
export interface LoginCeremony {
  readonly passkey?: VirtualPasskeyOptions
  /** The properties of the passkey at its creation. */
  readonly created?: CreationChanges
  /** True if the login names the owner's email. By default it does not. */
  readonly byEmail?: boolean
  readonly begin?: Input<'passkeys.beginLogin'>
  readonly changes?: AssertionChanges
}

/** Begins a passkey login. Creates a user if none is given. */
export const beginLogin = async (
  test: TestApp,
  { passkey: options, created, byEmail = false, begin = {}, changes: usual }: LoginCeremony = {},
  given?: SignedIn,
): Promise<BegunLogin> => {
  const registration = await beginRegistration(test, { ...(options && { passkey: options }) }, given)
  const { owner, passkey } = registration
  const registered = await registration.finish(registration.answer(created))
  if (registered.status !== 200) throw new Error(`the passkey was not registered: ${registered.text}`)
  const email = byEmail ? { email: owner.user.email } : {}
  const { challengeId, publicKey } = await test.ask('passkeys.beginLogin', { ...email, ...begin })
  return {
    test,
    owner,
    passkey,
    challengeId,
    options: publicKey,
    answer: (changes) => ({ challengeId, credential: passkey.get(publicKey, { ...usual, ...changes }) }),
    finish: (input, sent) => test.call('passkeys.finishLogin', input, sent),
    state: () => stateOf(test, owner),
  }
}

/** Returns the answer with changed members of the credential. `undefined` omits a member. */
export const withCredential = (finish: Finish, members: Finish): Finish => ({
  ...finish,
  credential: { ...(finish.credential as Finish), ...members },
})

/** Returns the answer with changed members of the authenticator's response. `undefined` omits a member. */
export const withResponse = (finish: Finish, members: Finish): Finish =>
  withCredential(finish, { response: { ...responseOf(finish), ...members } })

/** Decodes a member of the authenticator's response from base64url. */
export const responseOf = ({ credential }: Finish): Finish => (credential as { readonly response: Finish }).response
