import { generateReceiptKeyRing, parseReceiptKeyRing } from '@countersign/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openCore } from '../testing/open-core.ts'
import { createWorkplace, type Workplace } from '../testing/run-command.ts'
import { runAsPerson } from '../testing/terminal.ts'

const rings = [generateReceiptKeyRing(), generateReceiptKeyRing('ES256')]
const kids = rings.map((ring) => parseReceiptKeyRing(ring).keys[0]?.kid ?? '')

let here: Workplace
beforeEach(async () => {
  here = createWorkplace({ COUNTERSIGN_RECEIPT_KEYS: rings.join() })
  await here.json(['migrate'])
})
afterEach(() => here.remove())

/** Publishes the keys of the ring, as a server does when it starts. */
const publish = async () => {
  const { countersign, close } = await openCore(here)
  await countersign.receipts.keys()
  await close()
}

const list = async () => (await here.json(['keys', 'list'])) as readonly Readonly<Record<string, unknown>>[]
const keyOf = async (kid: string | undefined) => (await list()).find((key) => key.kid === kid)

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

describe('keys list', () => {
  test('shows the public keys that are published, and publishes no other', async () => {
    expect(await list()).toEqual([])
    await publish()
    const { stdout } = await here.run(['keys', 'list', '--json'])
    expect(await keyOf(kids[1])).toEqual({
      kid: kids[1],
      alg: 'ES256',
      jwk: { kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String) },
      publishedAt: isoTime,
      retiredAt: null,
      revokedAt: null,
      revokedReason: null,
    })
    for (const ring of rings) expect(stdout).not.toContain(ring.split(':')[1])
    const { stdout: text } = await here.run(['keys', 'list'])
    expect(text).toMatch(/^key id\talgorithm\tpublished\tretired\trevoked\treason\n/)
  })
})

describe('keys retire and keys revoke', () => {
  beforeEach(publish)

  test('retire or revoke the named key once, and leave the other keys', async () => {
    expect(await here.json(['keys', 'retire', kids[0] ?? '', '--yes'])).toMatchObject({
      kid: kids[0],
      retiredAt: isoTime,
      revokedAt: null,
    })
    expect(await here.run(['keys', 'retire', kids[0] ?? '', '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already'),
    })
    expect(await here.json(['keys', 'revoke', kids[0] ?? '', '--reason', 'stolen', '--yes'])).toMatchObject({
      revokedReason: 'stolen',
    })
    expect(await keyOf(kids[0])).toMatchObject({ retiredAt: isoTime, revokedAt: isoTime, revokedReason: 'stolen' })
    expect(await keyOf(kids[1])).toMatchObject({ retiredAt: null, revokedAt: null })
  })

  test('are refused to a script without --yes', async () => {
    const refused = { code: 2, stdout: '', stderr: expect.stringContaining('--yes') }
    expect(await here.run(['keys', 'retire', kids[0] ?? ''])).toMatchObject(refused)
    expect(await here.run(['keys', 'revoke', kids[0] ?? '', '--reason', 'stolen'])).toMatchObject(refused)
    expect(await keyOf(kids[0])).toMatchObject({ retiredAt: null, revokedAt: null })
  })

  test('name the database on a terminal, and say whether another key can sign', async () => {
    const typed = [{ after: 'to go on: ', keys: `${kids[0]}\r` }]
    const first = await runAsPerson(here, ['keys', 'retire', '--', kids[0] ?? ''], { typed, columns: 300 })
    expect(first).toMatchObject({ code: 0, shown: expect.stringContaining(`Database: ${here.env.COUNTERSIGN_DATABASE_URL}\n`) })
    expect(first.shown).not.toContain('No other published key')
    const again = [{ after: 'to go on: ', keys: 'no\r' }]
    const second = await runAsPerson(here, ['keys', 'retire', '--', kids[1] ?? ''], { typed: again, columns: 300 })
    expect(second).toMatchObject({ code: 1, shown: expect.stringContaining('No other published key can sign') })
  })

  test('accept after `--` an id that begins with a hyphen', async () => {
    const refused = { code: 1, stderr: 'error: Receipt key not found\n' }
    expect(await here.run(['keys', 'retire', '--', '-none'])).toMatchObject(refused)
    expect(await here.run(['keys', 'revoke', '--reason', 'stolen', '--', '-none'])).toMatchObject(refused)
  })

  test.each([
    ['an unknown key', ['retire', 'none'], 1, 'Receipt key not found'],
    ['no reason', ['revoke', kids[0] ?? ''], 2, '--reason'],
    ['an empty reason', ['revoke', kids[0] ?? '', '--reason', ''], 1, 'reason'],
    ['a reason with a line break', ['revoke', kids[0] ?? '', '--reason', 'a\nb'], 1, 'reason'],
  ])('refuse %s', async (_, args, code, complaint) => {
    const ran = await here.run(['keys', ...args, '--yes'])
    expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(complaint) })
    expect(await keyOf(kids[0])).toMatchObject({ retiredAt: null, revokedAt: null })
  })
})
