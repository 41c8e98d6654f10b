import { operations } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { startStopwatch } from '../../../../tools/testing/stopwatch.ts'
import { errorBodyOf } from '../../src/testing/error-body.ts'
import { expectDocumented } from '../../src/testing/expect-answer.ts'
import { type SignedIn, signIn } from '../../src/testing/sign-in.ts'
import { createTestApp } from '../../src/testing/test-app.ts'
import { cborBytes, cborText, putTogether, takeApart } from '../../src/testing/webauthn/attestation-object-bytes.ts'
import { beginLogin, beginRegistration, responseOf } from '../../src/testing/webauthn/ceremony.ts'
import { malformedAttestationObject, malformedAuthenticatorData } from '../../src/testing/webauthn/common-violations.ts'

/* CBOR that no authenticator produces. It must be refused quickly, without allocating the memory that it announces. */

/** Milliseconds. Far more than any response takes, because the machine may be busy. */
const SLOWEST = 2000
/** Bytes. More than decoding the longest attestation objects needs, and less than the announced lengths. */
const MOST_MEMORY = 256 * 1024 * 1024
/** The maximum length of an accepted attestation object. */
const LONGEST = 65_536

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
/** Deeper than any stack, but within the maximum length. */
const nested = (opening: string, times: number): Buffer =>
  Buffer.concat([Buffer.alloc(times * (opening.length / 2), opening, 'hex'), hex('00')])

type Bytes = Uint8Array
/** Derives a hostile attestation object from a valid one: `a3 63 fmt 64 none 67 attStmt a0 68 authData 58 len …`. */
type Make = (good: Buffer, authenticatorData: Buffer) => Bytes

const good = (authData: Bytes) => ({ fmt: cborText('none'), attStmt: hex('a0'), authData })

/** Returns the authenticator data up to the key, with another key. */
const withKey = (authenticatorData: Buffer, key: Bytes): Buffer =>
  cborBytes(Buffer.concat([authenticatorData.subarray(0, 55 + 32), key]))

const wholes: Readonly<Record<string, Make>> = {
  'an empty map': () => hex('a0'),
  'an empty list': () => hex('80'),
  'a number': () => hex('00'),
  null: () => hex('f6'),
  undefined: () => hex('f7'),
  'a text': () => cborText('none'),
  'a half float': () => hex('f9 3c00'),
  'not a number': () => hex('f9 7e00'),
  'a lone break': () => hex('ff'),
  'reserved information': () => hex('1c'),
  'a simple value in two bytes': () => hex('f8 ff'),
  'the valid object under a tag': (whole) => Buffer.concat([hex('d9 d9f7'), whole]),
  'the valid object twice': (whole) => Buffer.concat([whole, whole]),
  'the valid object with zeros after it': (whole) => Buffer.concat([whole, Buffer.alloc(1000)]),
  'the valid object in a list': (whole) => Buffer.concat([hex('81'), whole]),
  'the valid object in a byte string': (whole) => cborBytes(whole),
  'nothing but zeros': () => Buffer.alloc(LONGEST),
  'nothing but ones': () => Buffer.alloc(LONGEST, 0xff),
}

const lengths: Readonly<Record<string, Make>> = {
  'a map of indefinite length': (whole) => Buffer.concat([hex('bf'), whole.subarray(1), hex('ff')]),
  'a map whose length has a longer form than necessary': (whole) => Buffer.concat([hex('b8 03'), whole.subarray(1)]),
  'a map whose length takes eight bytes': (whole) => Buffer.concat([hex('bb 0000000000000003'), whole.subarray(1)]),
  'a map that announces one member more': (whole) => Buffer.concat([hex('a4'), whole.subarray(1)]),
  'a map that announces one member less': (whole) => Buffer.concat([hex('a2'), whole.subarray(1)]),
  'a map that announces 2^32 members': (whole) => Buffer.concat([hex('ba ffffffff'), whole.subarray(1)]),
  'a map that announces 2^53 members': (whole) => Buffer.concat([hex('bb 001fffffffffffff'), whole.subarray(1)]),
  'a map that announces 2^64 members': (whole) => Buffer.concat([hex('bb ffffffffffffffff'), whole.subarray(1)]),
  'a list that announces 2^32 items': () => hex('9a ffffffff 00'),
  'a list that announces 2^53 items': () => hex('9b 001fffffffffffff 00'),
  'a text that announces 4 GiB': () => hex('7a ffffffff 61'),
  'bytes that announce 2^53': () => hex('5b 001fffffffffffff 00'),
  'authenticator data that announces more than there is': (_, data) => putTogether({ ...good(cborBytes(data, data.length + 1)) }),
  'authenticator data that announces 4 GiB': (_, data) => putTogether(good(Buffer.concat([hex('5a ffffffff'), data]))),
  'authenticator data whose length has a longer form than necessary': (_, data) =>
    putTogether(good(Buffer.concat([hex('59'), Buffer.of(data.length >> 8, data.length & 0xff), data]))),
  'authenticator data in pieces': (_, data) => putTogether(good(Buffer.concat([hex('5f'), cborBytes(data), hex('ff')]))),
}

const depths: Readonly<Record<string, Make>> = {
  'lists in lists': () => nested('81', LONGEST - 1),
  'maps in maps': () => nested('a100', LONGEST / 2 - 1),
  'tags of tags': () => nested('c1', LONGEST - 1),
  'lists in lists, in the statement': (_, data) => putTogether({ ...good(cborBytes(data)), attStmt: nested('81', 50_000) }),
  'lists in lists, beside the members': (whole) =>
    Buffer.concat([hex('a4'), whole.subarray(1), cborText('x'), nested('81', 50_000)]),
  'lists in lists, in place of the key': (_, data) => putTogether(good(withKey(data, nested('81', 50_000)))),
  'maps in maps, in place of the key': (_, data) => putTogether(good(withKey(data, nested('a100', 25_000)))),
  'maps in maps, in place of the extensions': (_, data) => {
    const announced = Buffer.from(data)
    announced[32] = (announced[32] ?? 0) | 0x80
    return putTogether(good(cborBytes(Buffer.concat([announced, nested('a100', 25_000)]))))
  },
}

const members: Readonly<Record<string, Make>> = {
  'a member twice': (whole) => Buffer.concat([hex('a4'), whole.subarray(1), cborText('fmt'), cborText('none')]),
  'members under numbers': (_, data) => Buffer.concat([hex('a3 01'), cborText('none'), hex('02 a0 03'), cborBytes(data)]),
  'a list as the name of a member': (whole) => Buffer.concat([hex('a4'), whole.subarray(1), hex('80 00')]),
  'a format in bytes': (_, data) =>
    putTogether({ ...good(cborBytes(data)), fmt: Buffer.concat([hex('44'), Buffer.from('none')]) }),
  'a format in a list': (_, data) => putTogether({ ...good(cborBytes(data)), fmt: Buffer.concat([hex('81'), cborText('none')]) }),
  'a statement that is a list': (_, data) => putTogether({ ...good(cborBytes(data)), attStmt: hex('80') }),
  'a statement that is null': (_, data) => putTogether({ ...good(cborBytes(data)), attStmt: hex('f6') }),
  'authenticator data as text': () => putTogether(good(cborText('data'))),
  'authenticator data as a list': () => putTogether(good(hex('80'))),
  'no authenticator data at all': () => putTogether(good(hex('40'))),
}

const data: Readonly<Record<string, Make>> = {
  'a credential id that announces 65535 bytes': (_, bytes) => {
    const longer = Buffer.from(bytes)
    longer.writeUInt16BE(0xffff, 53)
    return putTogether(good(cborBytes(longer)))
  },
  'an end within the model': (_, bytes) => putTogether(good(cborBytes(bytes.subarray(0, 45)))),
  'an end within the length of the credential id': (_, bytes) => putTogether(good(cborBytes(bytes.subarray(0, 54)))),
  'an end within the credential id': (_, bytes) => putTogether(good(cborBytes(bytes.subarray(0, 60)))),
  'no key': (_, bytes) => putTogether(good(withKey(bytes, Buffer.alloc(0)))),
  'an empty key': (_, bytes) => putTogether(good(withKey(bytes, hex('a0')))),
  'a key that is a list': (_, bytes) => putTogether(good(withKey(bytes, hex('80')))),
  'a key whose last coordinate announces more than there is': (_, bytes) => {
    const longer = Buffer.from(bytes)
    longer[longer.length - 33] = 33
    return putTogether(good(cborBytes(longer)))
  },
  'a key with a length in a longer form than necessary': (_, bytes) => {
    const key = bytes.subarray(87)
    // The last coordinate: 58 20, then 32 bytes.
    const longer = Buffer.concat([key.subarray(0, -34), hex('59 0020'), key.subarray(-32)])
    return putTogether(good(withKey(bytes, longer)))
  },
  'a key with a member twice': (_, bytes) =>
    putTogether(good(withKey(bytes, Buffer.concat([hex('a6'), bytes.subarray(88), hex('01 02')])))),
}

/** Well-formed CBOR that is not a valid COSE key. */
const wellFormed = new Set(['an empty key', 'a key that is a list'])

const suites = { wholes, lengths, depths, members, data }

describe('an attestation object', () => {
  const attempt = async (make: Make) => {
    const test = await createTestApp()
    const owner: SignedIn = await signIn(test)
    const begun = await beginRegistration(test, {}, owner)
    const whole = Buffer.from(String(responseOf(begun.answer()).attestationObject), 'base64url')
    // The head of bytes with a length of one byte.
    const authenticatorData = Buffer.from(takeApart(whole).authData.subarray(2))
    const bytes = make(whole, authenticatorData)
    expect(bytes.length).toBeLessThanOrEqual(LONGEST)
    const input = begun.answer({ attestationObjectBytes: () => bytes })
    const before = process.memoryUsage()
    const time = startStopwatch()
    const answer = await begun.finish(input)
    const took = time()
    const after = process.memoryUsage()
    return { answer, took, grown: after.rss - before.rss, state: await begun.state() }
  }

  it('built from the parts of the cases is valid, with its members in any order', async () => {
    const { fmt, attStmt } = good(Buffer.alloc(0))
    const make: Make = (_, bytes) => putTogether({ authData: cborBytes(bytes), fmt, attStmt })
    expect((await attempt((_, bytes) => putTogether(good(withKey(bytes, bytes.subarray(87)))))).answer.status).toBe(200)
    expect((await attempt(make)).answer.status).toBe(200)
  })

  describe.each(Object.entries(suites))('with hostile %s', (_, cases) => {
    it.each(Object.entries(cases))('is refused: %s', async (name, make) => {
      const { answer, took, grown, state } = await attempt(make)
      expectDocumented(operations['passkeys.finishRegistration'], answer, name)
      const { status: statusCode, message } = wellFormed.has(name)
        ? { status: 401, message: 'Invalid passkey' }
        : malformedAttestationObject
      expect(answer.body).toEqual(errorBodyOf(statusCode, message))
      expect(took).toBeLessThan(SLOWEST)
      expect(grown).toBeLessThan(MOST_MEMORY)
      expect(state).toMatchObject([{ passkeys: [] }])
    })
  })

  it('is refused when it is too long', async () => {
    const test = await createTestApp()
    const begun = await beginRegistration(test)
    const answer = await begun.finish(begun.answer({ attestationObjectBytes: () => Buffer.alloc(LONGEST + 3) }))
    expect(answer.body).toEqual(
      errorBodyOf(400, 'credential.response.attestationObject: must be an attestation object in base64 or base64url'),
    )
    expect((await begun.finish(begun.answer())).status).toBe(200)
  })
})

describe('the authenticator data of a login', () => {
  it.each(
    Object.entries({
      'lists in lists': nested('81', 8000),
      'maps in maps': nested('a100', 4000),
      'a map that announces 2^53 members': hex('bb 001fffffffffffff 01 02'),
      'a text that announces 4 GiB': hex('a1 01 7a ffffffff 61'),
      'a map of indefinite length': hex('bf 01 02 ff'),
      'a member twice': hex('a2 01 02 01 02'),
      'a length in a longer form than necessary': hex('b8 01 01 02'),
      'two maps': hex('a0 a0'),
    }),
  )('is refused with hostile extensions: %s', async (name, extensions) => {
    const begun = await beginLogin(await createTestApp())
    const before = await begun.state()
    const time = startStopwatch()
    const answer = await begun.finish(
      begun.answer({
        flags: { extensions: true },
        authenticatorDataBytes: (bytes) => Buffer.concat([bytes, extensions]),
      }),
    )
    expectDocumented(operations['passkeys.finishLogin'], answer, name)
    expect(answer.body).toEqual(errorBodyOf(400, malformedAuthenticatorData.message))
    expect(time()).toBeLessThan(SLOWEST)
    expect(await begun.state()).toStrictEqual(before)
  })
})
