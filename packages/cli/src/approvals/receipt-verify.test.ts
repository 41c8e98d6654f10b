import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workplaceOfFile } from '../testing/workplace-of-file.ts'

const here = workplaceOfFile()

interface Vector {
  readonly name: string
  readonly expected: string
  readonly step?: string
  readonly receipt: string
  readonly keys: object
}

const file = new URL('../../../contract/vectors/receipts.json', import.meta.url)
const { cases: vectors } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly Vector[] }

const vector = (name: string): Vector => {
  const found = vectors.find((one) => one.name === name)
  if (found === undefined) throw new TypeError(`there is no vector ${name}`)
  return found
}
const payment = 'a payment, issuer Ed25519, device ES256 over text'
const genuine = vector(payment)

const write = (name: string, content: string): string => {
  const path = join(here.directory, name)
  writeFileSync(path, content)
  return path
}

const verify = (name: string, ...options: readonly string[]) => {
  const { receipt, keys } = vector(name)
  const files = [write('receipt.txt', `${receipt}\n`), '--keys', write('keys.json', JSON.stringify(keys))]
  return here.run(['receipt', 'verify', ...files, ...options])
}

test('a genuine receipt says who approved what, when and with which device', async () => {
  const { code, stdout, stderr } = await verify(payment)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(
    stdout.replaceAll(/[\w-]{43}/g, 'THUMBPRINT'),
  ).toBe(`GENUINE: the issuer, the action, the signature of the device and its registration were checked.

Who: the user with the number 7, of https://auth.example.com.
     The issuer names this person Ada <ada@example.com>. No signature of the device covers the name.
What: an action of the type payment_approval, with these values:
  amount     1250.5
  currency   EUR
  recipient  Ada’s Workshop
The words for the screen, signed in the language en: Payment
  Amount    1,250.50 EUR
  Asked by  Ada
Asked by: Ada, the user with the number 7, on 2025-11-23 10:00:00 UTC.
When: approved on 2025-11-23 10:00:30 UTC, by the clock of the issuer.
      The approval was possible until 2025-11-23 10:05:00 UTC.
With: the device 7d9c1b1e-3f5a-4c58-8f3e-2a1b0c9d8e7f. Its key (ES256, thumbprint THUMBPRINT) signed the approval.
      The same key signed the registration of the device on 2025-10-01 08:00:05 UTC.
Issuer: https://auth.example.com, with the key THUMBPRINT, on 2025-11-23 10:00:31 UTC. Confirmation conf_0b1f3c6e-8a54-4b2a-9f5e-1d2c3b4a5968.

Not checked:
- The receipt came without a proof that the approval is in the log of the issuer.
- Whether the person read the screen, and in which language.
- Whether the issuer itself registered the device.
`)
})

test('a receipt of a registered type shows the words on the screen, without the isolates around each value', async () => {
  const { stdout } = await verify('a registered type in two languages, issuer Ed25519, device ES256 over text')
  expect(stdout).toContain('The words for the screen, signed in the language de: Zahlung\n  Betrag  1.250,50 EUR\n')
})

test('a receipt for one of several approvals says that it is one of several', async () => {
  const { stdout } = await verify('one vote of two, issuer Ed25519, device ES256 over text')
  expect(stdout).toContain('one approval of the 2 that the action needs (request appr_1)')
  expect(stdout).toContain('Asked by: Eve, the user with the number 9, whom the host knows as eve, on 2025-11-23 10:00:00 UTC.')
})

test('the output names the person for whom a service asked, the context, and the operation', async () => {
  const asked = await verify('a service that asks for somebody, issuer Ed25519, device ES256 over text')
  expect(asked.stdout).toContain(
    'Asked by: the service billing, on 2025-11-23 10:00:00 UTC, with these facts:\n  on behalf of  Ada’s Workshop\n',
  )
  const ofTenant = await verify('a tenant and an operation, issuer Ed25519, device ES256 over text')
  expect(ofTenant.stdout).toContain('For: the operation bank.pay, and no other.\n')
  expect(ofTenant.stdout).toContain('  in the tenant  acme\n')
})

test('a receipt of a passkey names the page that showed the action, and says that no registration was proved', async () => {
  const { code, stdout } = await verify('a passkey with ES256')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^GENUINE: the issuer, the action and the signature of the passkey were checked\.$/m)
  expect(stdout).toMatch(/^With: the passkey \S+\. Its key \(ES256, thumbprint \S+\) signed the approval\.$/m)
  expect(stdout).toContain(
    '      It verified its user, and approved what a page of https://app.example.com showed. Nobody proved its registration.\n',
  )
  expect(stdout).not.toContain('not disclosed')
  const partial = await verify('a passkey without the statement')
  expect(partial.stdout).toContain('- The action is not disclosed.')
  expect(partial.stdout).not.toContain('- The registration of the device is not disclosed.')
})

test('a partial receipt names the parts that are not disclosed, and is no failure', async () => {
  const one = await verify('only the disclosures [registration, approver], issuer Ed25519, device ES256')
  expect(one).toMatchObject({ code: 0, stdout: expect.stringContaining('GENUINE IN PART') })
  expect(one.stdout).toContain('What: not disclosed.')
  expect(one.stdout).not.toContain('payment_approval')
  const { stdout } = await verify('only the disclosures [], issuer Ed25519, device ES256')
  expect(stdout).toContain('Who: not disclosed.')
  expect(stdout).toContain('- The registration of the device is not disclosed.')
})

test.each([payment, 'only the disclosures [], issuer Ed25519, device ES256', 'a vote signed with the domain of one person'])(
  '%s has its verdict with --json',
  async (name) => {
    const { expected, step } = vector(name)
    const { code, stdout, stderr } = await verify(name, '--json')
    expect({ code, stderr }).toEqual({ code: expected === 'refused' ? 1 : 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ verdict: expected, ...(step && { step }) })
  },
)

test('a refused receipt names the failed step, and exits with 1', async () => {
  expect(await verify('the signature of another receipt')).toEqual({
    code: 1,
    stdout:
      'REFUSED: the receipt proves nothing.\nFailed step: issuer (the signature of the issuer)\nReason: The issuer’s signature is wrong.\n',
    stderr: '',
  })
})

describe('the receipt', () => {
  const keys = () => write('keys.json', JSON.stringify(genuine.keys))

  test.each([
    ['alone', genuine.receipt],
    ['as the answer of the service', JSON.stringify({ data: { receipt: genuine.receipt } })],
    ['as the answer of this command', `${JSON.stringify({ receipt: genuine.receipt }, null, 2)}\n`],
  ])('is read from the file %s and from standard input', async (_, content) => {
    const wanted = { code: 0, stdout: expect.stringMatching(/^GENUINE:/), stderr: '' }
    expect(await here.run(['receipt', 'verify', write('receipt', content), '--keys', keys()])).toEqual(wanted)
    expect(await here.run(['receipt', 'verify', '-', '--keys', keys()], { stdin: content })).toEqual(wanted)
  })

  test.each([
    ['JSON without a receipt', '{"data":{}}', 'the file is JSON without a receipt'],
    ['JSON of null', '{"data":null}', 'the file is JSON without a receipt'],
    ['broken JSON', '{"receipt":', 'the file is JSON without a receipt'],
    ['too long', 'a'.repeat(1024 * 1024 + 1), 'the file holds more than a receipt'],
  ])('is not read if it is %s', async (_, content, message) => {
    const failed = { code: 1, stdout: '', stderr: expect.stringContaining(`error: ${message}`) }
    expect(await here.run(['receipt', 'verify', write('receipt', content), '--keys', keys()])).toEqual(failed)
    expect(await here.run(['receipt', 'verify', '-', '--keys', keys()], { stdin: content })).toEqual(failed)
  })

  test('is reported if its file does not exist', async () => {
    expect(await here.run(['receipt', 'verify', join(here.directory, 'none'), '--keys', keys()])).toMatchObject({
      code: 1,
      stderr: 'error: the file cannot be read (ENOENT)\n',
    })
  })
})

describe('the keys', () => {
  let server: Server
  let answer: RequestListener
  let origin: string
  beforeAll(async () => {
    server = createServer((request, response) => answer(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  const verifyWith = (keys: readonly string[], env = {}) =>
    here.run(['receipt', 'verify', '-', ...keys], { stdin: genuine.receipt, env })

  test('may begin with a byte order mark, as some editors write it', async () => {
    const keys = write('marked.json', `\ufeff${JSON.stringify(genuine.keys)}`)
    expect(await verifyWith(['--keys', keys])).toMatchObject({ code: 0, stderr: '' })
  })

  test('come from a URL, by default from the URL of the issuer in the environment', async () => {
    const paths: (string | undefined)[] = []
    answer = ({ url }, response) => {
      paths.push(url)
      response.end(JSON.stringify(genuine.keys))
    }
    const path = '/.well-known/countersign/receipt-keys'
    expect(await verifyWith(['--keys', origin + path])).toMatchObject({ code: 0, stderr: '' })
    expect(await verifyWith([], { COUNTERSIGN_RECEIPT_ISSUER: `${origin}/` })).toMatchObject({ code: 0, stderr: '' })
    expect(paths).toEqual([path, path])
  })

  test('are required if no issuer is set', async () => {
    expect(await verifyWith([])).toEqual({
      code: 2,
      stdout: '',
      stderr: "error: required option '--keys <file|url>' not specified\n",
    })
  })

  test('are not fetched by http from another machine', async () => {
    expect(await verifyWith(['--keys', 'http://auth.example.com/keys'])).toMatchObject({
      code: 1,
      stderr: 'error: keys are fetched by https only, or by http from this machine\n',
    })
  })

  test.each<[string, RequestListener, string]>([
    ['an error', (_, response) => response.writeHead(503).end(), 'the server answered 503'],
    ['a redirect', (_, response) => response.writeHead(302, { location: '/other' }).end(), 'no connection, or a redirect'],
    ['an endless body', (_, response) => response.end(Buffer.alloc(2 * 1024 * 1024)), 'too long'],
    ['other JSON', (_, response) => response.end('{"keys":1}'), 'no JWK set'],
    ['a list of nothing', (_, response) => response.end('{"keys":[null]}'), 'no JWK set'],
    ['a page', (_, response) => response.end('<html>'), 'no JWK set'],
  ])('are refused if the server answers with %s', async (_, listener, message) => {
    answer = listener
    expect(await verifyWith(['--keys', origin])).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) })
  })
})

test('the command needs no database and no settings', async () => {
  const env = { COUNTERSIGN_DATABASE_URL: 'nonsense', COUNTERSIGN_JWT_KEYS: undefined, COUNTERSIGN_ENCRYPTION_KEYS: undefined }
  const keys = write('keys.json', JSON.stringify(genuine.keys))
  expect(await here.run(['receipt', 'verify', '-', '--keys', keys], { stdin: genuine.receipt, env })).toMatchObject({ code: 0 })
})
