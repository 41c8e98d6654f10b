import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyRing, generateReceiptKeyRing, systemRandom } from '@countersign/core'
import { createLogger, demoUser, openCountersign, type RunningServer, readConfig, serve } from '@countersign/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { demo } from './demo.ts'
import { seed } from './seed.ts'

const logger = createLogger('silent')
const directory = mkdtempSync(join(tmpdir(), 'countersign-demo-'))
const keys = () => generateKeyRing(systemRandom)

/** A configuration with its own database. */
const aConfig = (name: string) =>
  readConfig({
    COUNTERSIGN_DATABASE_URL: `sqlite:${join(directory, `${name}.db`)}`,
    COUNTERSIGN_JWT_KEYS: keys(),
    COUNTERSIGN_ENCRYPTION_KEYS: keys(),
    COUNTERSIGN_RECEIPT_KEYS: generateReceiptKeyRing(),
    COUNTERSIGN_PORT: '0',
  })

let printed: string[]
let complaints: string[]
const running: { close(): unknown }[] = []

beforeEach(() => {
  printed = []
  complaints = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line))
  vi.spyOn(console, 'error').mockImplementation((line: string) => void complaints.push(line))
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const one of running.splice(0)) await one.close()
  rmSync(directory, { recursive: true, force: true })
})

const start = async (config: ReturnType<typeof aConfig>): Promise<RunningServer> => {
  const server = await serve(config, { logger, signals: false })
  running.push(server)
  return server
}

test('the whole story succeeds, prints each step with shortened tokens, and leaves no device registered', async () => {
  const config = aConfig('story')
  await seed(config)
  const { url } = await start(config)

  expect({ code: await demo(['--url', `${url}/`]), complaints }).toEqual({ code: 0, complaints: [] })

  const story = printed.join('\n')
  expect(story.match(/^ *\d+\. [A-Z].*$/gm)).toHaveLength(16)
  expect(story).toMatch(/← 410\n +message +Action confirmation token already used/)
  expect(story).toContain('pay 1250 EUR to Ada’s Workshop?')
  expect(story).toMatch(/one tap on the open phone signs[\s\S]*COUNTERSIGN_APPROVER_VERIFICATION=always, it asks for a passkey/)
  expect(story).toMatch(/← 403\n +message +Insufficient trust level/)
  expect(story).toContain('Nothing was approved.')
  expect(story).toMatch(/14\. Verify the receipt offline[\s\S]*GENUINE: [\s\S]*recipient +Ada’s Workshop/)
  expect(story).toMatch(/15\. Change one byte of the receipt[\s\S]*REFUSED: [\s\S]*Failed step: disclosure /)
  expect(story).toMatch(/16\. Change who asked[\s\S]*REFUSED: [\s\S]*Failed step: disclosure /)
  expect(story).not.toMatch(/eyJ[\w.-]{20}/)
  expect(story).not.toContain(demoUser.password)

  const { countersign, close } = await openCountersign(config, { logger })
  expect(await countersign.devices.listOfUser({ email: demoUser.email })).toEqual([])
  await close()
})

test.skipIf(process.platform === 'win32')(
  '--browser opens the page of a running server in the browser of this machine',
  async () => {
    const { url } = await start(aConfig('browser'))
    const opened = join(directory, 'opened')
    for (const opener of ['open', 'xdg-open'])
      writeFileSync(join(directory, opener), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`, { mode: 0o755 })
    vi.stubEnv('PATH', `${directory}:${process.env.PATH}`)
    expect({ code: await demo(['--browser', '--url', url]), complaints }).toEqual({ code: 0, complaints: [] })
    const page = `http://localhost:${new URL(url).port}/playground`
    await expect.poll(() => (existsSync(opened) ? readFileSync(opened, 'utf8') : '')).toBe(page)
    expect(printed.join('\n')).toContain(page)
  },
)

test('a missing demo user is reported on one line', async () => {
  const { url } = await start(aConfig('unseeded'))
  expect(await demo(['--url', url])).toBe(1)
  expect(complaints).toEqual(['error: Invalid email or password (the demo user is made by `npm start`)'])
})

test('a missing server is reported on one line', async () => {
  const { url, close } = await serve(aConfig('gone'), { logger, signals: false })
  await close()
  expect(await demo(['--url', url])).toBe(1)
  expect(complaints).toEqual([`error: no server answers at ${url}; start one with \`npm start\``])
})

test('a server that is not Countersign is reported on one line', async () => {
  const other = createServer((_request, response) => response.end('<html>')).listen(0, '127.0.0.1')
  running.push(other)
  await once(other, 'listening')
  expect(await demo(['--url', `http://127.0.0.1:${(other.address() as AddressInfo).port}`])).toBe(1)
  expect(complaints).toEqual(['error: The server does not answer as Countersign does'])
})

test.each([
  ['--url', 'not an address'],
  ['--url', 'ftp://127.0.0.1'],
  ['--user', 'ada'],
])('%s %s is refused on one line', async (...args) => {
  expect(await demo(args)).toBe(1)
  expect(complaints).toEqual([expect.stringMatching(/^error: [^\n]+$/)])
})
