import { randomUUID } from 'node:crypto'
import type { Client } from '@countersign/client-sdk'
import { expect } from 'vitest'
import {
  announcePhone,
  logIn,
  type Phone,
  phoneLogin,
  registerPhone,
  signLogin,
  signPayment,
  statusOf,
  tokenStatus,
} from '../src/testing/over-http.ts'
import { isUnanswered, type Ledger, type Look } from './ledger.ts'

/** The push addresses of each device: one address once acknowledged, several if a response is missing. */
export type PushTokens = Map<string, readonly (string | undefined)[]>

const listed = async ({ client, token }: Look, { deviceId }: Phone): Promise<boolean> =>
  (await client.devices.list({}, { token })).devices.some(({ id }) => id === deviceId)

const statusAt = async ({ client, token }: Look, confirmationId: string): Promise<string> =>
  (await client.confirmations.status({ confirmationId }, { token })).status

const registerOnce = async (ledger: Ledger, client: Client, token: string): Promise<Phone> => {
  const { phone, registration } = await announcePhone(client, token)
  await ledger.once('registration challenge', client, (to) => to.devices.finishRegistration(registration, { token }))
  return phone
}

const setPushToken = async (pushTokens: PushTokens, client: Client, token: string, { deviceId }: Phone): Promise<void> => {
  const pushToken = `push-${randomUUID()}`
  pushTokens.set(deviceId, [...(pushTokens.get(deviceId) ?? [undefined]), pushToken])
  await client.devices.setPushToken({ deviceId, pushToken }, { token })
  pushTokens.set(deviceId, [pushToken])
}

/** Lets the phone approve a confirmation: for good, or at most once more if the response is missing. */
const approve = async (ledger: Ledger, client: Client, token: string, phone: Phone, phoneToken: string): Promise<void> => {
  const approval = await signPayment(client, token, phone)
  const again = async ({ client: to }: Look): Promise<number> => {
    const { accessToken } = await phoneLogin(to, phone)
    return statusOf(to.confirmations.sendApproval(approval, { token: accessToken }))
  }
  try {
    await client.confirmations.sendApproval(approval, { token: phoneToken })
  } catch (error) {
    if (isUnanswered(error)) {
      ledger.note('approval, unanswered', async (look) => {
        expect(await again(look)).toBeOneOf([200, 410])
        expect(await statusAt(look, approval.confirmationId)).toBe('approved')
        expect(await again(look)).toBe(410)
      })
    }
    throw error
  }
  ledger.note('approval', async (look) => {
    expect(await statusAt(look, approval.confirmationId)).toBe('approved')
    expect(await again(look)).toBe(410)
  })
}

const reject = async (ledger: Ledger, client: Client, token: string, phone: Phone): Promise<void> => {
  const approval = await signPayment(client, token, phone)
  const { confirmationId } = approval
  await client.confirmations.reject(confirmationId, 'not mine', { token })
  ledger.note('rejection', async (look) => {
    expect(await statusAt(look, confirmationId)).toBe('rejected')
    const { accessToken } = await phoneLogin(look.client, phone)
    expect(await statusOf(look.client.confirmations.sendApproval(approval, { token: accessToken }))).toBe(410)
  })
}

/** Opens a session and ends it. */
const comeAndGo = async (ledger: Ledger, client: Client): Promise<void> => {
  const { accessToken, refreshToken } = await logIn(client, ledger.email)
  await client.auth.logout({ refreshToken }, { token: accessToken })
  ledger.note('logout', async ({ client: to }) => {
    expect(await tokenStatus(to, accessToken)).toBe(401)
    expect(await statusOf(to.auth.refresh({ refreshToken }))).toBe(401)
  })
}

/** Registers a phone, uses it and removes it. */
const loseAPhone = async (ledger: Ledger, client: Client, token: string): Promise<void> => {
  const phone = await registerPhone(client, token)
  const { accessToken, refreshToken } = await phoneLogin(client, phone)
  const login = await signLogin(client, phone)
  await client.devices.remove({ deviceId: phone.deviceId }, { token })
  ledger.note('removal', async (look) => {
    expect(await listed(look, phone)).toBe(false)
    expect(await tokenStatus(look.client, accessToken)).toBe(401)
    expect(await statusOf(look.client.mobile.refresh({ refreshToken }))).toBe(401)
    expect(await statusOf(look.client.mobile.finishLogin(login))).toBe(401)
  })
}

/** Does everything that a user may do, and notes each acknowledged change. Rejects if the server does not respond. */
export const liveAStory = async (ledger: Ledger, client: Client, pushTokens: PushTokens): Promise<void> => {
  const web = await logIn(client, ledger.email)
  const { accessToken: token } = web
  ledger.noteAlive(async (look) => expect(await tokenStatus(look.client, token)).toBe(200))

  const phone = await registerOnce(ledger, client, token)
  ledger.note('device', async (look) => {
    expect(await listed(look, phone)).toBe(true)
    await phoneLogin(look.client, phone)
  })
  await setPushToken(pushTokens, client, token, phone)

  const login = await signLogin(client, phone)
  const { tokens: mobile } = await ledger.once('login challenge', client, (to) => to.mobile.finishLogin(login))
  ledger.noteAlive(async (look) => expect(await tokenStatus(look.client, mobile.accessToken)).toBe(200))

  await approve(ledger, client, token, phone, mobile.accessToken)
  await reject(ledger, client, token, phone)

  const next = await ledger.once('refresh token', client, (to) => to.auth.refresh({ refreshToken: web.refreshToken }))
  ledger.noteAlive(async ({ client: to }) =>
    expect(await statusOf(to.auth.refresh({ refreshToken: next.refreshToken }))).toBe(200),
  )
  const { refreshToken } = mobile
  await ledger.once("device's refresh token", client, (to) => to.mobile.refresh({ refreshToken }))

  await comeAndGo(ledger, client)
  await loseAPhone(ledger, client, next.accessToken)
  await setPushToken(pushTokens, client, next.accessToken, phone)
}
