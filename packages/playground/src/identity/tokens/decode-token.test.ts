import { signInNewUser } from '@countersign/core/testing'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { decodeToken } from './decode-token.ts'

const encode = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text))).replaceAll('=', '')

describe('a token', () => {
  it('of the service is decoded into header and claims', async () => {
    const { user, tokens } = await signInNewUser(await createTestCountersign(), { name: 'Zoë Åström 🦉' })
    const decoded = decodeToken(tokens.accessToken)
    expect(decoded?.header).toMatchObject({ alg: 'HS256' })
    expect(decoded?.claims).toMatchObject({ id: user.id, email: user.email, employee: { name: 'Zoë Åström 🦉' } })
    expect(decodeToken(tokens.refreshToken)?.claims).toMatchObject({ token_use: 'refresh' })
  })

  it.each([
    ['nothing', ''],
    ['two parts', 'e30.e30'],
    ['four parts', 'e30.e30.x.y'],
    ['no base64url', 'e30.?.x'],
    ['no JSON', `e30.${encode('{')}.x`],
    ['no UTF-8', `e30.${btoa('"\xff"')}.x`],
  ])('that is %s is not decoded', (_what, token) => {
    expect(decodeToken(token)).toBeUndefined()
  })
})
