import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTestUser, testPassword } from '@countersign/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../tools/testing/free-port.ts'
import { bun, deno, isThere } from '../../../tools/testing/runtimes.ts'
import type { Listening } from '../../server/src/adapters/node/listen.ts'
import { startRealServer } from '../../server/src/testing/real-server.ts'
import { createTestApp } from '../../server/src/testing/test-app.ts'
import { bundleClient } from '../src/testing/bundle-client.ts'
import type { Way } from '../src/testing/use-whole-client.ts'

/** Commands that run a module with access to the network and, if the runtime can restrict access, to nothing else. */
const platforms = [
  { name: 'Node', command: process.execPath, args: [] },
  {
    name: 'Deno',
    command: deno,
    args: ['run', '--no-config', '--no-remote', '--no-npm', '--no-prompt', '--allow-net=127.0.0.1'],
  },
  { name: 'Bun', command: bun, args: ['run'] },
]

describe('the bundled client', () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-platforms-'))
  const file = join(directory, 'walk.mjs')
  let server: Listening
  let silent: Server
  beforeAll(async () => {
    const given = await createTestApp({ options: { rateLimits: 'off' } })
    const { email } = await createTestUser(given, { permissions: ['project.*'] })
    server = await startRealServer(given)
    silent = createServer(({ url = '' }, response) => {
      if (url.startsWith('/elsewhere')) response.writeHead(302, { location: `${server.url}/health` }).end()
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const way: Way = {
      baseUrl: server.url,
      email,
      password: testPassword,
      silentUrl: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      deadUrl: `http://127.0.0.1:${await freePort()}`,
    }
    const { code } = await bundleClient(`
      import * as sdk from '@countersign/client-sdk'
      import { walk } from './packages/client-sdk/src/testing/use-whole-client.ts'
      await walk(sdk, ${JSON.stringify(way)})
      console.log('walked')`)
    writeFileSync(file, code)
  })
  afterAll(async () => {
    silent?.closeAllConnections()
    silent?.close()
    await server?.close(1000)
    rmSync(directory, { recursive: true, force: true })
  })

  it.for(platforms)('signs in, renews, approves and gives up in $name', async ({ name, command, args }, { skip }) => {
    if (!isThere(command)) skip(`this machine has no ${name}`)
    const env = { PATH: process.env.PATH, HOME: directory }
    const { stdout } = await promisify(execFile)(command, [...args, file], { cwd: directory, env })
    expect(stdout.trim()).toBe('walked')
  })
})
