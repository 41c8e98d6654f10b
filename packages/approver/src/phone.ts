import {
  type AdoptedTokens,
  browserTokenStore,
  type Client,
  type CreatedPasskey,
  type DeviceSigner,
  deviceNameFrom,
  webCryptoSigner,
} from '@countersign/client-sdk'
import { signal } from '@preact/signals'
import { isMobile, ownName } from './agents.ts'
import { go } from './route.ts'
import { createService, settings } from './settings.ts'
import { stored } from './stored.ts'

/** This phone as a registered device. Holds no secret: the key is in the browser's database, and no script can read it. */
export interface Phone {
  /** The name of the key in the browser's database. */
  readonly key: string
  /** Empty for a person who approves with a passkey, and has no key on this phone. */
  readonly deviceId: string
  readonly email: string
  readonly onProbation?: boolean | undefined
  /** The subscription and the language that the service got last, as JSON; `undefined` while notifications are off. */
  readonly notified?: string | undefined
}

/** The registered phone; `undefined` before it is enrolled. */
export const phone = signal(stored.read<Phone>('phone'))

interface Visitor {
  readonly client: Client
  readonly email: string
  readonly passkeySession: AdoptedTokens | undefined
}

/** The person who has signed in on a phone that is not enrolled yet. In memory only. */
export const visitor = signal<Visitor>()

/** True if this phone has a session; `undefined` until the page knows. */
export const signedIn = signal<boolean>()

/** Whether this phone was enrolled since the page was opened. */
export const isNew = signal(false)

const store = browserTokenStore('countersign-approver')

/** The client of the phone. Its session is opened by the key of the phone only. */
export const client = createService(store)
client.on('signedOut', () => {
  signedIn.value = false
})
client.on('signedIn', () => {
  phone.value = stored.read('phone')
  signedIn.value = true
})
client.on('userChanged', () => location.reload())

/** The client renews its tokens by the clock of this phone, at most this long before they end by the clock of the service. */
const MARGIN = 60_000

/** Returns by how many milliseconds the clock of the service is ahead of this phone; 0 for a phone that is right within minutes. */
export const readClockLead = async (): Promise<number> => {
  const tokens = await store.get()
  const lead = tokens === undefined ? 0 : Date.parse(tokens.accessTokenExpiresAt) - MARGIN - tokens.renewAt
  return Math.abs(lead) < 2 * MARGIN ? 0 : lead
}

/** Returns whether this phone signs with a key of its own. */
export const hasKey = (): boolean => phone.value?.deviceId !== ''

/** Names the device that is notified. Without a key on this phone, the passkey of the session is notified. */
export const tokenHolder = (): { readonly deviceId?: string } => (hasKey() ? { deviceId: phone.peek()?.deviceId ?? '' } : {})

export const keep = (next: Phone | undefined): void => {
  phone.value = next
  stored.write('phone', next)
}

const signatures = new Map<string, Promise<string>>()

/** Returns the signer of this phone. A challenge is signed once: a lost answer is sent again with the same signature. */
const signerOf = async (key: string): Promise<DeviceSigner> => {
  const signer = await webCryptoSigner({ name: key })
  return {
    ...signer,
    sign: (challenge, purpose) => {
      const signature = signatures.get(challenge) ?? Promise.resolve(signer.sign(challenge, purpose))
      signatures.set(challenge, signature)
      signature.catch(() => signatures.delete(challenge))
      return signature
    },
  }
}

export const signer = (): Promise<DeviceSigner> => signerOf(phone.peek()?.key ?? 'approver')

/** Opens a session by the key of this phone, or by the passkey that approves in its place. */
export const signInWithKey = async (): Promise<void> => {
  if (hasKey()) await client.mobile.login({ signer: await signer(), rememberMe: true })
  else await signInWithPasskey()
  signedIn.value = true
}

/** Opens a session by passkey, perhaps of another person. */
const signInWithPasskey = async (): Promise<void> => {
  const { accessToken } = await client.passkeys.login({ userVerification: 'required', rememberMe: true })
  const email = emailOf(accessToken)
  if (email === phone.peek()?.email) return
  keep({ key: '', deviceId: '', email })
}

const claimsOf = (accessToken: string): { readonly id: number; readonly email: string } => {
  const [, payload = ''] = accessToken.split('.')
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes)) as ReturnType<typeof claimsOf>
}

const emailOf = (accessToken: string): string => claimsOf(accessToken).email

export const ownId = async (): Promise<number | undefined> => {
  const token = await client.accessToken()
  return token === undefined ? undefined : claimsOf(token).id
}

/** Signs a person in by password, or by passkey without one. */
export const signIn = async (credentials?: { readonly email: string; readonly password: string }): Promise<void> => {
  const asVisitor = createService()
  const tokens = await (credentials === undefined
    ? asVisitor.passkeys.login({ userVerification: 'required', rememberMe: true })
    : asVisitor.auth.login(credentials))
  const passkeySession = credentials === undefined ? tokens : undefined
  visitor.value = { client: asVisitor, email: emailOf(tokens.accessToken), passkeySession }
}

/** Sets a password by a code. On a phone that is not enrolled, this signs the person in. */
export const setPassword = async (code: string, newPassword: string): Promise<void> => {
  const asVisitor = createService()
  const { tokens } = await asVisitor.password.setWithCode({ code, newPassword, signIn: phone.peek() === undefined })
  if (tokens !== undefined) visitor.value = { client: asVisitor, email: emailOf(tokens.accessToken), passkeySession: undefined }
  go('')
}

/** Makes a passkey that verifies its person; nothing new if the authenticator has one of this account already. */
const createPasskey = (asVisitor: Client, enrolmentCode: string): Promise<Partial<CreatedPasskey>> => {
  const wishes = { userVerification: 'required', ...(enrolmentCode !== '' && { enrolmentCode }) } as const
  return asVisitor.passkeys.create(wishes).catch((error: Error) => {
    if ((error.cause as Error | undefined)?.name === 'InvalidStateError') return {}
    throw error
  })
}

/** Lets a passkey approve, without a key on this phone: the passkey that signed in, or after a password a new one. */
export const usePasskey = async (enrolmentCode: string): Promise<void> => {
  const { client: asVisitor, email, passkeySession } = visitor.peek() ?? {}
  if (asVisitor === undefined || email === undefined) return
  if (passkeySession === undefined) {
    const { vouching } = await createPasskey(asVisitor, enrolmentCode)
    keep({ key: '', deviceId: '', email })
    await signInWithKey()
    if (vouching === undefined) await leave()
  } else {
    keep({ key: '', deviceId: '', email })
    await client.adopt(passkeySession)
    visitor.value = undefined
    signedIn.value = true
  }
}

export const leave = async (): Promise<void> => {
  const { client: asVisitor } = visitor.peek() ?? {}
  visitor.value = undefined
  await asVisitor?.auth.logout()
}

/** Makes a key, and registers this phone with it in a session of the person. */
const registerKey = async (service: Client, name: string, enrolmentCode: string) => {
  const key = `approver-${crypto.randomUUID()}`
  const registered = await service.devices.register({
    deviceName: deviceNameFrom(name),
    deviceType: isMobile(navigator.userAgent) || matchMedia('(pointer: coarse)').matches ? 'mobile' : 'desktop',
    signer: await signerOf(key),
    registeredWith: 'approver',
    ...(enrolmentCode !== '' && { enrolmentCode }),
  })
  return { key, ...registered }
}

/** Makes this phone a device of the visitor. From then on, the phone signs in by its key. */
export const enrol = async (name: string, enrolmentCode: string): Promise<void> => {
  const { client: asVisitor, email } = visitor.peek() ?? {}
  if (asVisitor === undefined || email === undefined) return
  const { key, deviceId, vouching } = await registerKey(asVisitor, name, enrolmentCode)
  keep({ key, deviceId, email })
  // Without this, a browser that runs out of space may delete the key. A browser may ask the person, or refuse.
  void navigator.storage?.persist?.().catch(() => {})
  if (settings.verification === 'always') await createPasskey(asVisitor, enrolmentCode)
  await signInWithKey()
  isNew.value = true
  // A session that has logged out can no longer be rejected together with this phone, so it stays while the phone is on probation.
  if (vouching === undefined) await leave()
}

/** Makes this phone trusted by a code, with a new key, or without one with a new passkey in place of `credentialId`. */
export const useCode = async (enrolmentCode: string, credentialId?: string): Promise<void> => {
  if (credentialId !== undefined) {
    await createPasskey(client, enrolmentCode)
    await signInWithKey()
    await client.passkeys.remove({ credentialId }).catch(() => {})
    return
  }
  const { deviceId: former = '', email = '' } = phone.peek() ?? {}
  const { key, deviceId } = await registerKey(client, ownName(), enrolmentCode)
  keep({ key, deviceId, email })
  await signInWithKey()
  isNew.value = true
  // The service may have removed the former device already, to make room for the trusted one.
  await client.devices.remove({ deviceId: former }).catch(() => {})
}

/** Adds a passkey in a fresh session of the phone's key, so that the passkey is trusted at once, wherever the host allows it. */
export const addPasskey = async (): Promise<CreatedPasskey> => {
  if (!hasKey()) return client.passkeys.create({ userVerification: 'required' })
  const fresh = createService()
  await fresh.mobile.login({ signer: await signer() })
  try {
    return await fresh.passkeys.create({ userVerification: 'required' })
  } finally {
    await fresh.auth.logout().catch(() => {})
  }
}

/** Removes this phone from the account, and forgets that it is enrolled. */
export const stopHere = async (): Promise<void> => {
  if (hasKey()) await client.devices.remove({ deviceId: phone.peek()?.deviceId ?? '' })
  else if (phone.peek()?.notified !== undefined) await client.devices.setPushToken({ pushToken: null })
  await leave().catch(() => {})
  await forget()
}

export const forget = async (): Promise<void> => {
  keep(undefined)
  await client.auth.logout().catch(() => {})
  signedIn.value = false
  go('')
}

/** Finds out whether the phone has a session. */
export const resume = async (): Promise<void> => {
  if (phone.peek() === undefined) signedIn.value = false
  // Without a connection, the session counts as valid: the inbox then shows that it cannot be read.
  else
    signedIn.value = await client.accessToken().then(
      (token) => token !== undefined,
      () => true,
    )
}
