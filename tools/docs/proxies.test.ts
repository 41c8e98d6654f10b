import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@countersign/contract'
import { openPostgres } from '@countersign/storage-postgres'
import { expect, onTestFinished, test } from 'vitest'
import { blocksOfTest, readDocuments } from './page.ts'

const all = readDocuments().flatMap(({ blocks }) => blocks)
const named = blocksOfTest(import.meta.filename)
const checks = [...named, ...all.filter(({ text, language }) => language === 'yaml' && text.includes('/internal/verify'))]

test.each(checks)('$at asks the path of the contract only, with the name of the service', ({ text }) => {
  const { path, headers } = operations['internal.verify']
  expect(text.match(/\/internal\/\w+/g)).toEqual([path])
  expect(text.toLowerCase()).toContain(headers.serviceName.toLowerCase())
})

const blocksOf = (language: string) => all.filter((block) => block.language === language).map(({ text }) => text)
const nginx = blocksOf('nginx').map((text) => (text.startsWith('upstream') ? text : `server { listen 127.0.0.1:1; ${text} }`))
const haproxy = [
  'defaults',
  'mode http',
  ...['connect', 'client', 'server'].map((side) => `timeout ${side} 9s`),
  ...blocksOf('haproxy'),
]

test.each([
  ['nginx', ['-t', '-q', '-e', 'stderr', '-c'], `pid /dev/null; events {} http { access_log off; ${nginx.join('\n')} }`],
  ['haproxy', ['-c', '-q', '-f'], [...haproxy, 'listen added', 'bind 127.0.0.1:1', ''].join('\n')],
])('%s accepts the settings of all pages', (program, args, text) => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-proxy-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'proxy.conf'), text)
  const { error, status, stderr } = spawnSync(program, [...args, join(directory, 'proxy.conf')], { encoding: 'utf8' })
  if (error !== undefined) console.warn(`NOT RUN, this machine has no ${program} (Debian: apt-get install ${program})`)
  else expect(status, stderr).toBe(0)
})

test('the settings of PgBouncer ignore every parameter that it does not know and our server sends', async () => {
  const settings = all.find(({ language, text }) => language === 'ini' && text.includes('[pgbouncer]'))?.text ?? ''
  const ignored = /^ignore_startup_parameters = (.*)$/m.exec(settings)?.[1]?.split(',') ?? []
  // Those that PgBouncer tracks for each client (its manual, `track_extra_parameters`).
  const tracked = [
    'user',
    'database',
    'application_name',
    'client_encoding',
    'DateStyle',
    'TimeZone',
    'standard_conforming_strings',
  ]
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `postgres://countersign@127.0.0.1:${(server.address() as AddressInfo).port}/countersign`
  const ended = openPostgres({ url }).then(
    (storage) =>
      storage
        .ping()
        .catch(() => {})
        .then(() => storage.close()),
    () => {},
  )
  const [socket] = (await once(server, 'connection')) as [import('node:net').Socket]
  const [message] = (await once(socket, 'data')) as [Buffer]
  server.close()
  socket.destroy()
  await ended
  // The first message (PostgreSQL, "Message Formats", StartupMessage): length, version, pairs of names and values.
  const sent = message
    .subarray(8, message.readUInt32BE(0))
    .toString()
    .split('\0')
    .filter((name, at) => at % 2 === 0 && name !== '')
  expect(sent).toContain('statement_timeout')
  expect(sent.filter((name) => !tracked.includes(name) && !ignored.includes(name))).toEqual([])
})
