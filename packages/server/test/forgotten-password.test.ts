import type { CodeDelivery } from '@countersign/core'
import { createTestUser } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { createTestApp } from '../src/testing/test-app.ts'

const newPassword = 'another password, long enough'

const given = async () => {
  const mails: CodeDelivery[] = []
  const test = await createTestApp({ deliverCode: (delivery) => void mails.push(delivery) })
  return { test, mails, user: await createTestUser(test) }
}

describe('a forgotten password over HTTP', () => {
  it('is 202 before the code is delivered, and the code sets a password and signs in', async () => {
    const { test, mails, user } = await given()
    const headers = { 'accept-language': 'fr-CA, fr;q=0.9' }
    const { status } = await test.call('password.forgot', { email: user.email }, { headers })
    expect({ status, mails: mails.length }).toStrictEqual({ status: 202, mails: 0 })
    await test.background.drain()
    expect(mails).toMatchObject([{ email: user.email, languages: ['fr-CA', 'fr'] }])
    const { code = '' } = mails[0] ?? {}
    const checked = await test.ask('password.checkCode', { code })
    expect(checked).toMatchObject({ kind: 'forgot', email: 'u…@example.test' })
    const { tokens } = await test.ask('password.redeem', { code, newPassword, signIn: true })
    const me = await test.ask('account.me', {}, { token: tokens?.accessToken ?? '' })
    expect(me).toMatchObject({ user: { email: user.email }, can: { enrol: false } })
    expect((await test.call('password.redeem', { code, newPassword })).status).toBe(401)
  })

  it('takes nothing from the headers that name a host', async () => {
    const { test, mails, user } = await given()
    const names = ['host', 'x-forwarded-host', 'forwarded', 'origin', 'referer', 'x-original-url']
    const headers = Object.fromEntries(names.map((name) => [name, 'evil.example']))
    await test.call('password.forgot', { email: user.email, resetUrl: 'https://evil.example' }, { headers })
    await test.background.drain()
    expect(mails).toHaveLength(1)
    expect(JSON.stringify(mails)).not.toContain('evil')
  })

  it.each(['GET', 'HEAD'])('uses no code for a program that opens links with %s', async (method) => {
    const { test, mails, user } = await given()
    await test.call('password.forgot', { email: user.email })
    await test.background.drain()
    const { code = '' } = mails[0] ?? {}
    for (const path of ['redeem', 'redeem/check']) {
      const { status } = await test.send(method, `/api/v1/auth/password/${path}?code=${code}&newPassword=x`)
      expect(status).toBe(405)
    }
    expect((await test.call('password.redeem', { code, newPassword })).status).toBe(200)
  })

  it('sends one code to one person, also if the email is in a list or is written in other ways', async () => {
    const { test, mails, user } = await given()
    const emails = [
      `${user.email},thief@evil.example`,
      `${user.email}\r\nBcc: thief@evil.example`,
      [user.email, 'thief@evil.example'],
    ]
    for (const email of emails) await test.call('password.forgot', { email })
    await test.background.drain()
    expect(mails).toStrictEqual([])
    await test.call('password.forgot', { email: user.email.toUpperCase() })
    await test.background.drain()
    expect(mails.map(({ email }) => email)).toStrictEqual([user.email])
  })

  it('is 404 where nothing delivers codes', async () => {
    const test = await createTestApp({ deliverCode: undefined })
    const { status, body } = await test.call('password.forgot', { email: 'ada@example.test' })
    expect({ status, body }).toMatchObject({ status: 404, body: { code: 'no_delivery' } })
  })

  it('is refused for the limit of an address, and never for an email', async () => {
    const { test, user } = await given()
    const ask = (address: string) => test.call('password.forgot', { email: user.email }, { address })
    for (let tries = 0; tries < 20; tries += 1) expect((await ask('192.0.2.1')).status).toBe(202)
    expect((await ask('192.0.2.1')).status).toBe(429)
    expect((await ask('192.0.2.2')).status).toBe(202)
  })
})
