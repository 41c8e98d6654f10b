import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { capture, type Outcome } from '../capture.ts'
import { parsePage } from '../docs/page.ts'
import { readManifest, repository } from '../workspace.ts'

const DEMO = { email: 'demo@countersign.example', password: 'demo-password-not-secret' }

/** The program under "Five minutes with the client" of the README, which a newcomer pastes first. */
const clientProgram = (): string => {
  const { blocks } = parsePage('README.md', readFileSync(join(repository, 'README.md'), 'utf8'))
  const block = blocks.find(({ language, text }) => language === 'ts' && text.includes('createClient('))
  if (block === undefined) throw new Error('README.md shows no program with the client')
  return block.text
}

/** Node and the installed command. */
const commandOf = (app: string): readonly [string, string] => {
  const installed = join(app, 'node_modules', '@countersign', 'cli')
  return [process.execPath, join(installed, readManifest(installed).bin?.['countersign'] ?? '')]
}

const environment = (app: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('COUNTERSIGN_'))),
  COUNTERSIGN_DATABASE_URL: `sqlite:${join(app, 'first.db')}`,
})

interface Serving {
  readonly url: string
  stop(): Promise<void>
}

/** Starts the installed command on a free port, and resolves once it listens. */
const serve = async (app: string): Promise<Serving> => {
  const [node, command] = commandOf(app)
  const child = spawn(node, [command, 'serve', '--port', '0'], {
    cwd: app,
    env: environment(app),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  const listening = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { event, url } = JSON.parse(line) as { readonly event?: string; readonly url?: string }
      if (event === 'listening' && url !== undefined) resolve(url)
    })
  })
  const ended = exit.then(([code]): never => {
    throw new Error(`countersign serve ended with ${code}`)
  })
  return {
    url: await Promise.race([listening, ended]),
    stop: async () => {
      ended.catch(() => undefined)
      child.kill('SIGTERM')
      await exit
    },
  }
}

/** Whether CommonJS can load what import can: Node has required ES modules since 22.12. */
const requireAll = async (app: string): Promise<Outcome> => {
  const names = ['contract', 'core', 'server', 'client-sdk', 'storage-sqlite', 'storage-postgres']
  const loads = names.map((name) => `require('@countersign/${name}')`).join(';')
  return capture(process.execPath, ['--input-type=commonjs', '-e', loads], app)
}

/**
 * Plays what a newcomer does with the installed packages: makes a user, starts the server, and runs the README's program,
 * which signs in, registers a device and has a payment approved.
 */
export const playFirstFiveMinutes = async (app: string): Promise<Outcome> => {
  const [node, command] = commandOf(app)
  execFileSync(node, [command, 'migrate'], { cwd: app, env: environment(app), stdio: 'pipe' })
  execFileSync(node, [command, 'user', 'create', '--email', DEMO.email, '--password-stdin'], {
    cwd: app,
    env: environment(app),
    input: DEMO.password,
    stdio: 'pipe',
  })
  const required = await requireAll(app)
  if (!required.ok) return required
  const server = await serve(app)
  try {
    const program = clientProgram().replaceAll('http://127.0.0.1:4000', server.url)
    const file = join(app, 'first.ts')
    writeFileSync(file, program)
    const played = await capture(process.execPath, [file], app)
    if (!played.ok) return played
    const isApproved = played.output.split('\n').at(-1) === 'approved'
    return { ok: isApproved, output: `${program}\nprinted:\n${played.output}` }
  } finally {
    await server.stop()
  }
}
