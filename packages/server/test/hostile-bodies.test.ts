import { requestLayoutOf } from '@countersign/contract'
import { describe, expect, it, vi } from 'vitest'
import { type Attempt, sendAttempts, sendWith } from '../src/testing/derived-requests.ts'
import { anExample, bodyOf, type Example, hasBody, operationNames, operationOf } from '../src/testing/examples.ts'
import { createTestApp, type SendOptions } from '../src/testing/test-app.ts'

vi.setConfig({ testTimeout: 120_000 })

const withBody = operationNames.filter(hasBody)
const anApp = () => createTestApp({ options: { rateLimits: 'off' } })
const json = { 'content-type': 'application/json' }

const stream = (chunk: Uint8Array, times: number) => {
  let sent = 0
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent++ < times) controller.enqueue(chunk)
      else controller.close()
    },
  })
}

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

describe('a body that is not a JSON object', () => {
  const bodies: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>> = {
    nothing: '',
    'white space': ' \r\n\t ',
    null: 'null',
    true: 'true',
    'a number': '1',
    'a number beyond the finite range': '1e309',
    'a text': '"{}"',
    'a list': '[]',
    'a list of an object': '[{}]',
    'an open brace': '{',
    'a closed brace': '}',
    'two objects': '{}{}',
    'a comma too many': '{"a":1,}',
    'single quotes': "{'a':1}",
    'names without quotes': '{a:1}',
    'a comment': '{/* a */}',
    NaN: '{"a":NaN}',
    'a number with a leading zero': '{"a":01}',
    'a line feed within a text': '{"a":"\n"}',
    'an invalid escape': '{"a":"\\x41"}',
    'a form': 'email=a&password=b',
    XML: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    'NUL bytes': '\0\0\0\0',
    'a byte order mark': '\ufeff{}',
    'bytes that are not UTF-8': latin1('{"a":"\xff\xfe"}'),
    'UTF-8 in a longer form than necessary': latin1('{"a":"\xc0\xaf"}'),
    'a surrogate in UTF-8': latin1('{"a":"\xed\xa0\x80"}'),
    'UTF-16': new Uint8Array(Buffer.from('{"a":1}', 'utf16le')),
    'lists 100,000 deep': '['.repeat(100_000),
    'objects 10,000 deep': `${'{"a":'.repeat(10_000)}0${'}'.repeat(10_000)}`,
  }

  it.each(withBody)('is refused by %s', async (name) => {
    const test = await anApp()
    const attempts = Object.entries(bodies).map(([what, body]): Attempt => {
      return { what, send: sendWith(test, name, () => ({ body, headers: json })) }
    })
    // An operation with only optional members accepts an empty body and null.
    const { 400: refused = 0, 413: tooLarge = 0, ...others } = await sendAttempts(test, name, attempts)
    expect(refused + tooLarge).toBe(attempts.length - (requestLayoutOf(name).body?.isOptional ? 2 : 0))
    expect(tooLarge).toBeLessThanOrEqual(2)
    expect(Object.keys(others).every((status) => Number(status) === operationOf(name).success)).toBe(true)
  })

  it.each(withBody)('is refused by %s if it ends early, at any byte', async (name) => {
    const test = await anApp()
    const { input } = await anExample(test, name)
    const { length } = JSON.stringify(bodyOf(name, input))
    const attempts = Array.from({ length: 40 }, (_, part): Attempt => {
      const cut = (example: Example) =>
        JSON.stringify(bodyOf(name, example.input)).slice(0, 1 + Math.floor((part * (length - 2)) / 40))
      return { what: `${part} of 40 parts`, send: sendWith(test, name, (example) => ({ body: cut(example), headers: json })) }
    })
    expect(await sendAttempts(test, name, attempts)).toEqual({ 400: 40 })
  })
})

describe('a body larger than its operation accepts', () => {
  const chunk = new Uint8Array(4 * 1024).fill(0x20)
  const tooLarge = (bytes: number): readonly (() => SendOptions)[] => [
    () => ({ body: ' '.repeat(bytes + 1), headers: json }),
    () => ({ body: new Uint8Array(bytes + 1), headers: { ...json, 'content-length': String(bytes + 1) } }),
    () => ({ body: stream(chunk, bytes / chunk.length + 1), headers: json }),
    () => ({ body: stream(chunk, Number.POSITIVE_INFINITY), headers: json }),
    () => ({ body: stream(chunk, bytes / chunk.length + 1), headers: { ...json, 'transfer-encoding': 'chunked' } }),
    () => ({
      body: stream(chunk, bytes / chunk.length + 1),
      headers: { ...json, 'content-length': '2', 'transfer-encoding': 'chunked' },
    }),
    () => ({ body: new Uint8Array(bytes + 1), headers: { ...json, 'content-length': '2' } }),
  ]

  it.each(withBody)('is refused by %s with 413, however it arrives', async (name) => {
    const test = await anApp()
    const attempts = tooLarge(operationOf(name).body?.bytes ?? 0).map(
      (options, at): Attempt => ({ what: `way ${at}`, send: sendWith(test, name, options) }),
    )
    expect(await sendAttempts(test, name, attempts)).toEqual({ 413: attempts.length })
  })
})

describe('a body of one mebibyte with 121,839 members', () => {
  const body = `{${Array.from({ length: 121_839 }, (_, at) => `"${at.toString(36)}":0`)}}`

  it.each(withBody)('is refused by %s before it is parsed', async (name) => {
    expect(body.length).toBeLessThanOrEqual(1024 * 1024)
    const parse = vi.spyOn(JSON, 'parse')
    const attempt: Attempt = {
      what: 'a mebibyte',
      send: async (example) => {
        parse.mockClear()
        const answer = await sendWith(test, name, () => ({ body, headers: json }))(example)
        expect(parse.mock.calls.filter(([text]) => text.length > 100_000)).toEqual([])
        return answer
      },
    }
    const test = await anApp()
    expect(await sendAttempts(test, name, [attempt])).toEqual({ [operationOf(name).body?.bytes === 1024 * 1024 ? 400 : 413]: 1 })
    parse.mockRestore()
  })
})

describe('an unsupported type or encoding of a body', () => {
  const headersOf = (type: string) => ({ 'content-type': type })
  const others: readonly Readonly<Record<string, string>>[] = [
    ...[
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/json5',
      'application/merge-patch+json',
      'application/json, text/plain',
      'application/json; charset=utf-16',
      'application/json; charset=utf-7',
      'application/json; v=1; charset="utf-16"',
      'application/json; charset=iso-8859-1; v=1',
      'application/json; charset=latin1',
      'application/problem+json',
      'application/jsón',
      '*/*',
      'a'.repeat(8000),
    ].map(headersOf),
    ...['gzip', 'deflate', 'br', 'zstd', 'identity, gzip', 'x'].map((encoding) => ({ ...json, 'content-encoding': encoding })),
  ]

  it.each(withBody)('is refused by %s with 415', async (name) => {
    const test = await anApp()
    const attempts = others.map((headers): Attempt => {
      const body = ({ input }: Example) => new TextEncoder().encode(JSON.stringify(bodyOf(name, input)))
      const send = sendWith(test, name, (example) => ({ body: body(example), headers }))
      return { what: JSON.stringify(headers).slice(0, 80), send }
    })
    expect(await sendAttempts(test, name, attempts)).toEqual({ 415: others.length })
  })
})
