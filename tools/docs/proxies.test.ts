import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@countersign/contract'
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
