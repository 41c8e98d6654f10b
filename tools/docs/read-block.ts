import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorBody, projectErrorBody } from '@countersign/contract'
import { checkConfig } from '@countersign/server'
import pg from 'pg'
import { parseAllDocuments } from 'yaml'
import { startPostgres } from '../testing/start-postgres.ts'
import type { Block } from './page.ts'

/** Runs a program on a file with the text, and throws its output if it refuses the file. */
const readBy = (text: string, name: string, command: string, args: (file: string) => readonly string[]): void => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-'))
  try {
    const file = join(directory, name)
    writeFileSync(file, text)
    const { status, stderr } = spawnSync(command, args(file), { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The bodies of the contract that a JSON block can name, as `body=<name>`. */
const bodies = { errorBody, projectErrorBody }

const readJson = ({ text, marks }: Block): void => {
  const value: unknown = JSON.parse(text)
  const name = marks.get('body')
  if (name === undefined) return
  if (!(name in bodies)) throw new Error(`The contract has no body ${name}`)
  bodies[name as keyof typeof bodies].parse(value)
}

const readYaml = ({ text }: Block): void => {
  for (const { errors } of parseAllDocuments(text)) for (const error of errors) throw error
}

const readJavaScript = (text: string): void => readBy(text, 'block.mjs', process.execPath, (file) => ['--check', file])

const readHtml = ({ text }: Block): void => {
  for (const [, script = ''] of text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)) readJavaScript(script)
}

/** Checks settings of ours, each of which must be known. */
const readSettings = ({ text }: Block): void => {
  const given = Object.fromEntries(
    text.split('\n').map((line): [string, string] => {
      const [name = '', ...value] = line.split('=')
      return [name, value.join('=')]
    }),
  )
  const refused = checkConfig(given).problems.filter(({ variable }) => variable in given)
  if (refused.length > 0) throw new Error(refused.map(({ variable }) => variable).join(', '))
}

/** The message of PostgreSQL for a valid setting that needs a restart. */
const NEEDS_RESTART = 'setting could not be applied'

/** Lets PostgreSQL check its settings. */
const readPostgresSettings = async (text: string): Promise<void> => {
  const server = await startPostgres()
  try {
    writeFileSync(join(server.directory, 'postgresql.auto.conf'), text)
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const { rows } = await client.query<{ name: string; error: string | null }>(
      'select name, error from pg_file_settings where error <> $1',
      [NEEDS_RESTART],
    )
    await client.end()
    if (rows.length > 0) throw new Error(rows.map(({ name, error }) => `${name}: ${error}`).join(', '))
  } finally {
    await server.remove()
  }
}

const INI_LINE = /^(?:\[\w+\]|\w+ = \S.*|#.*|)$/

const readIni = async ({ text }: Block): Promise<void> => {
  if (text.startsWith('# postgresql.conf')) await readPostgresSettings(text)
  const strange = text.split('\n').filter((line) => !INI_LINE.test(line))
  if (strange.length > 0) throw new Error(strange.join('\n'))
}

/**
 * Lets nginx check an `upstream` section, or the content of a `server` section; the rest of the configuration is added around it.
 */
const readNginx = ({ text }: Block): void => {
  const [upstream, server] = text.startsWith('upstream ') ? [text, ''] : ['', text]
  readBy(
    `pid /dev/null;\nevents {}\nhttp { access_log off; ${upstream}\nserver { listen 127.0.0.1:1; ${server} } }\n`,
    'nginx.conf',
    'nginx',
    (file) => ['-t', '-q', '-e', 'stderr', '-c', file],
  )
}

/** Lets HAProxy check a section; the time-outs and the listener that HAProxy demands are added. */
const readHaproxy = ({ text }: Block): void =>
  readBy(
    `defaults\n  mode http\n  timeout connect 2s\n  timeout client 30s\n  timeout server 30s\n\nlisten added\n  bind 127.0.0.1:1\n\n${text}\n`,
    'haproxy.cfg',
    'haproxy',
    (file) => ['-c', '-q', '-f', file],
  )

/** Returns whether this machine has a program. */
export const isInstalled = (command: string): boolean => spawnSync(command, ['-version']).error === undefined

/** Checks the syntax of a block without running it. Throws or rejects if the block is malformed. */
type Read = (block: Block) => void | Promise<void>

/** Returns the check for each language; `undefined` if there is none. */
export const readers = (): Readonly<Record<string, Read | undefined>> => ({
  json: readJson,
  yaml: readYaml,
  html: readHtml,
  js: ({ text }) => readJavaScript(text),
  haproxy: isInstalled('haproxy') ? readHaproxy : undefined,
  nginx: isInstalled('nginx') ? readNginx : undefined,
  sh: ({ text }) => readBy(text, 'block.sh', 'bash', (file) => ['-n', file]),
  dotenv: readSettings,
  ini: readIni,
  // SQL is run, on the database server of the page.
  sql: undefined,
  // The parser of Mermaid needs half a browser.
  mermaid: undefined,
  http: undefined,
  text: undefined,
})
