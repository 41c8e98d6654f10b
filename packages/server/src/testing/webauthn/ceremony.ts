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

/** Ceremonies of passkeys over HTTP, stopped between their beginning and their end. */

/** What finishes a ceremony, as it is sent: right, or changed in any way. */
export type Finish = Readonly<Record<string, unknown>>

/** A ceremony that has begun. */
export interface Begun<Options, Changes> {
  readonly test: TestApp
  /** Whose it is. */
  readonly owner: SignedIn
  readonly passkey: VirtualPasskey
  readonly challengeId: string
  /** What the browser was told. */
  readonly options: Options
  /** What browser and authenticator make of it. */
  answer(changes?: Changes): Finish
  /** Finishes it, with the token that it needs unless another is given. */
  finish(input: Finish, options?: SendOptions): Promise<TestAnswer>
  /** All that a ceremony can change: the passkeys and the sessions of the owner, and of all users who came later. */
  state(): Promise<unknown>
}

export type BegunRegistration = Begun<CreationOptions, CreationChanges>
export type BegunLogin = Begun<RequestOptions, AssertionChanges>

/** More than take part in any ceremony. */
const MOST_USERS = 10

const stateOf = async ({ storage, clock }: TestApp, { user }: SignedIn) => {
  const users = await storage.users.list({ afterId: user.id - 1, limit: MOST_USERS })
  return Promise.all(
    users.map(async ({ id }) => ({
      passkeys: await storage.passkeys.allOfUser(id),
      sessions: await storage.sessions.liveOfUser(id, clock.now()),
    })),
  )
}

/** A good registration. Everything left out is as most browsers and authenticators have it. */
export interface RegistrationCeremony {
  readonly passkey?: VirtualPasskeyOptions
  readonly begin?: Input<'passkeys.beginRegistration'>
  readonly changes?: CreationChanges
}

/** Begins a registration, of a new user where none is given. */
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

/** A good login. */
export interface LoginCeremony {
  readonly passkey?: VirtualPasskeyOptions
  /** How the passkey was created. */
  readonly created?: CreationChanges
  /** Whether the owner's email is given; it is not by default, and the passkey is found without. */
  readonly byEmail?: boolean
  readonly begin?: Input<'passkeys.beginLogin'>
  readonly changes?: AssertionChanges
}

/** Begins a login by a passkey, of a new user where none is given. */
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

/** The answer with other members of the credential, in all else the same; `undefined` leaves one out. */
export const withCredential = (finish: Finish, members: Finish): Finish => ({
  ...finish,
  credential: { ...(finish.credential as Finish), ...members },
})

/** The answer with other members of the authenticator's response, in all else the same. */
export const withResponse = (finish: Finish, members: Finish): Finish =>
  withCredential(finish, { response: { ...responseOf(finish), ...members } })

/** The authenticator's response: bytes as base64url. */
export const responseOf = ({ credential }: Finish): Finish => (credential as { readonly response: Finish }).response
