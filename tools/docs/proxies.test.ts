import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '@countersign/contract'
import { expect, test } from 'vitest'
import { blocksOfTest, readDocuments } from './page.ts'
import { createApp } from './testing/stage.ts'

const all = readDocuments().flatMap(({ blocks }) => blocks)
const ofYaml = all.filter(({ text, language }) => language === 'yaml' && text.includes('/internal/verify'))

test.each([...blocksOfTest(import.meta.filename), ...ofYaml])(
  '$at asks the path of the contract only, with the name of the service',
  ({ text }) => {
    const { path, headers } = operations['internal.verify']
    expect(text.match(/\/internal\/\w+/g)).toEqual([path])
    expect(text.toLowerCase()).toContain(headers.serviceName.toLowerCase())
  },
)

const blocksOf = (language: string) => all.filter((block) => block.language === language).map(({ text }) => text)
const nginx = blocksOf('nginx').map((text) => (text.startsWith('upstream') ? text : `server { listen 127.0.0.1:1; ${text} }`))
const haproxy = ['mode http', ...['connect', 'client', 'server'].map((side) => `timeout ${side} 9s`), ...blocksOf('haproxy')]
const directory = createApp()

test.each([
  ['nginx', ['-t', '-q', '-e', 'stderr', '-c'], `pid /dev/null; events {} http { access_log off; ${nginx.join('\n')} }`],
  ['haproxy', ['-c', '-q', '-f'], ['defaults', ...haproxy, 'listen added', 'bind 127.0.0.1:1', ''].join('\n')],
])('%s accepts the settings of all pages', (program, args, text) => {
  writeFileSync(join(directory, program), text)
  const { error, status, stderr } = spawnSync(program, [...args, join(directory, program)], { encoding: 'utf8' })
  if (error !== undefined) console.warn(`NOT RUN, this machine has no ${program} (Debian: apt-get install ${program})`)
  else expect(status, stderr).toBe(0)
})
