import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startWorker } from '../harness/calls.ts'
import type { methods } from './flood.ts'

it('a round of a server that is slower than the round has at least one response', async () => {
  const server = createServer((_, response) => void setTimeout(() => response.end('{}'), 2500))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const directory = mkdtempSync(join(tmpdir(), 'countersign-flood-'))
  const client = startWorker<typeof methods>(new URL('./flood.ts', import.meta.url))
  onTestFinished(async () => {
    await client.close()
    server.close()
    rmSync(directory, { recursive: true })
  })
  const requestsFile = join(directory, 'requests.json')
  writeFileSync(requestsFile, JSON.stringify([{ method: 'GET', path: '/', headers: {} }]))
  const { port } = server.address() as AddressInfo
  await client.call('open', { url: `http://127.0.0.1:${port}`, connections: 2, requestsFile, wrk: false })

  const { operations, seconds } = await client.call('round', 0.1)

  expect(operations).toBeGreaterThan(0)
  expect(seconds).toBeGreaterThan(2.4)
})
