import { describe, expect, it } from 'vitest'
import { errorBodyOf } from '../testing/error-body.ts'
import { signIn } from '../testing/sign-in.ts'
import { createTestApp, type SendOptions } from '../testing/test-app.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const KIB = 1024
const MOST = 16 * KIB

/** Sends a body to an operation that would answer 200 to `{"deviceFingerprint":"x"}`. */
const post = async (options: SendOptions) => (await createTestApp()).send('POST', '/api/v1/auth/mobile/challenge', options)
const good = '{"deviceFingerprint":"x"}'
const refusal = (message: string, statusCode = 400) => [statusCode, errorBodyOf(statusCode, message)]

/** Returns valid JSON of `length` bytes. */
const bodyOf = (length: number) => `${good.slice(0, -1)},"pad":"${'p'.repeat(length - good.length - 9)}"}`

describe('the content type of a body', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json;',
    'application/json ; ;',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=US-ASCII',
    'application/json; charset=utf-8;',
    'application/json; odata.metadata=minimal; IEEE754Compatible=true; charset=utf-8',
    'application/json; note="; charset=latin1"',
    'application/json; v',
  ])('may be %s', async (type) => {
    expect((await post({ headers: { 'content-type': type }, body: good })).status).toBe(200)
  })

  it('counts as JSON if it is missing', async () => {
    const bytes = new TextEncoder().encode(good)
    expect((await post({ body: bytes })).status).toBe(200)
    expect((await post({ headers: { 'content-type': '' }, body: bytes })).status).toBe(200)
  })

  it('may have the encoding identity', async () => {
    expect((await post({ headers: { ...JSON_TYPE, 'content-encoding': 'Identity' }, body: good })).status).toBe(200)
  })
})

describe('the size of a body', () => {
  const streamed = (length: number) => new Blob([bodyOf(length)]).stream()

  it('is limited to the maximum of the operation', async () => {
    expect((await post({ headers: JSON_TYPE, body: bodyOf(MOST) })).status).toBe(200)
    const { status, body } = await post({ headers: JSON_TYPE, body: bodyOf(MOST + 1) })
    expect([status, body]).toEqual(refusal('Request body too large', 413))
  })

  it('is limited when it is declared', async () => {
    const declared = (length: number) => ({ ...JSON_TYPE, 'content-length': String(length) })
    expect((await post({ headers: declared(MOST), body: bodyOf(MOST) })).status).toBe(200)
    expect((await post({ headers: declared(MOST + 1), body: bodyOf(MOST + 1) })).status).toBe(413)
  })

  it('is limited when it arrives in chunks', async () => {
    expect((await post({ headers: JSON_TYPE, body: streamed(MOST) })).status).toBe(200)
    expect((await post({ headers: { ...JSON_TYPE, 'transfer-encoding': 'chunked' }, body: streamed(MOST + 1) })).status).toBe(413)
  })

  it('is limited even if the headers name a smaller size', async () => {
    const lies = ['5', '0', '-1', 'x', '1e2', '5, 5']
    for (const length of lies) {
      const { status } = await post({ headers: { ...JSON_TYPE, 'content-length': length }, body: bodyOf(MOST + 1) })
      expect(status).toBe(413)
    }
    const both = { ...JSON_TYPE, 'content-length': '5', 'transfer-encoding': 'chunked' }
    expect((await post({ headers: both, body: streamed(MOST + 1) })).status).toBe(413)
  })

  it('is counted while the body arrives; after the limit, the rest is not read', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1
        controller.enqueue(new Uint8Array(64 * 1024).fill(32))
      },
    })
    expect((await post({ headers: JSON_TYPE, body: endless })).status).toBe(413)
    expect(pulled).toBeLessThan(4)
  })

  it('can be larger for operations with products', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const send = async (method: string, path: string, length: number) =>
      (await test.send(method, path, { token, headers: JSON_TYPE, body: bodyOf(length) })).status
    expect(await send('POST', '/api/v1/projects', KIB * KIB)).toBe(400)
    expect(await send('POST', '/api/v1/projects', KIB * KIB + 1)).toBe(413)
    expect(await send('POST', '/api/v1/auth/devices/register/challenge', 64 * KIB)).toBe(400)
    expect(await send('POST', '/api/v1/auth/devices/register/challenge', 64 * KIB + 1)).toBe(413)
  })

  it('can be zero, which means an empty object', async () => {
    const { status, body } = await post({})
    expect([status, body]).toEqual(refusal('deviceFingerprint: must be text of 1 to 255 characters'))
    expect((await post({ headers: { ...JSON_TYPE, 'content-length': '0' } })).body).toEqual(body)
  })

  it('must equal the number of received bytes, or the request is refused', async () => {
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('gone')) })
    const { status, body } = await post({ headers: JSON_TYPE, body: broken })
    expect([status, body]).toEqual(refusal('body: must arrive whole'))
  })
})

describe('the members of a body', () => {
  const items = (count: number) => `{"deviceFingerprint":"x","extra":[${Array(count).fill(0)}]}`

  it('are counted together with list items, up to the maximum of the operation', async () => {
    expect((await post({ headers: JSON_TYPE, body: items(4094) })).status).toBe(200)
    const { status, body } = await post({ headers: JSON_TYPE, body: items(4095) })
    expect([status, body]).toEqual(refusal('body: must have at most 4096 members and items'))
  })

  it('can be as many as 50,000 in a project, because products need them', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const create = async (count: number) =>
      (await test.send('POST', '/api/v1/projects', { token, headers: JSON_TYPE, body: items(count) })).text
    expect(await create(49_998)).not.toContain('members and items')
    expect(await create(49_999)).toContain('body: must have at most 50000 members and items')
  })
})

describe('the text of a body', () => {
  const send = (body: string | Uint8Array<ArrayBuffer>) => post({ headers: JSON_TYPE, body })

  it.each([
    ['not UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'body: must be UTF-8'],
    ['an overlong form', Uint8Array.of(0x22, 0xc0, 0x80, 0x22), 'body: must be UTF-8'],
    ['a surrogate in UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), 'body: must be UTF-8'],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0), 'body: must be UTF-8'],
    ['a byte order mark', Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d), 'body: must be valid JSON'],
    ['cut short', '{"a":', 'body: must be valid JSON'],
    ['followed by more', '{} {}', 'body: must be valid JSON'],
    ['with a comment', '{/* */}', 'body: must be valid JSON'],
    ['with a trailing comma', '{"a":1,}', 'body: must be valid JSON'],
    ['with single quotes', "{'a':1}", 'body: must be valid JSON'],
    ['with a bare NUL', '{"a":"\0"}', 'body: must be valid JSON'],
    ['with NaN', '{"a":NaN}', 'body: must be valid JSON'],
    ['white space', '  ', 'body: must be valid JSON'],
    ['a list', '[]', 'body: must be a JSON object'],
    ['text', '"x"', 'body: must be a JSON object'],
    ['null', 'null', 'body: must be a JSON object'],
    ['a number', '1', 'body: must be a JSON object'],
  ])('is refused when it is %s', async (_, text, message) => {
    const { status, body } = await send(text)
    expect([status, body]).toEqual(refusal(message))
  })

  it('is never quoted in the refusal', async () => {
    expect((await send('{"password":"hunter2"')).text).not.toContain('hunter2')
  })

  it('can contain unknown members', async () => {
    expect((await send('{"deviceFingerprint":"x","extra":{"constructor":1,"toString":null}}')).status).toBe(200)
    expect((await send('{"deviceFingerprint":"x","sentAt":1767225600.123456789}')).status).toBe(200)
  })
})
