import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../capture.ts'
import { requirableEntries } from '../check/common-js.ts'
import { parsePage } from '../docs/page.ts'
import { publicPackages, readManifest, repository } from '../workspace.ts'
import type { Attempt } from './attempt.ts'
import { startInstalledServer } from './installed-server.ts'

const DEMO = { email: 'demo@countersign.example', password: 'demo-password-not-secret' }

/** Returns the program under "Five minutes with the client" of the README, which a newcomer pastes first. */
export const clientProgram = (): string => {
  const { blocks } = parsePage('README.md', readFileSync(join(repository, 'README.md'), 'utf8'))
  const block = blocks.find(({ language, text }) => language === 'js' && text.includes('createClient('))
  if (block === undefined) throw new Error('README.md shows no program with the client')
  return block.text
}

const installedCommand = (app: string): readonly [string, string] => {
  const installed = join(app, 'node_modules', '@countersign', 'cli')
  return [process.execPath, join(installed, readManifest(installed).bin?.['countersign'] ?? '')]
}

const environment = (app: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('COUNTERSIGN_'))),
  COUNTERSIGN_DATABASE_URL: `sqlite:${join(app, 'first.db')}`,
})

/** Loads the entries of all packages from CommonJS code. The project has no Vitest, so `testing` and its subpaths are left out. */
const requireAll = (attempt: Attempt, app: string): Promise<Outcome> => {
  const entries = publicPackages()
    .flatMap(({ manifest }) => requirableEntries(manifest))
    .filter((entry) => !entry.startsWith('@countersign/core/testing'))
  const loads = entries.map((entry) => `require('${entry}')`).join(';')
  return attempt(process.execPath, ['--input-type=commonjs', '-e', loads], app)
}

const runClientProgram = async (attempt: Attempt, app: string): Promise<Outcome> => {
  const env = environment(app)
  const server = await startInstalledServer([...installedCommand(app), 'serve', '--port', '0'], { cwd: app, env })
  try {
    const program = clientProgram().replaceAll('http://127.0.0.1:4000', server.url)
    const file = join(app, 'first.ts')
    writeFileSync(file, program)
    const played = await attempt(process.execPath, [file], app)
    if (!played.ok) return played
    const isApproved = played.output.split('\n').at(-1) === 'approved'
    return { ok: isApproved, output: `${program}\nprinted:\n${played.output}` }
  } finally {
    await server.stop()
  }
}

/** Does with the installed packages what a newcomer does: creates a user, starts the server, and runs the README's program. */
export const playFirstFiveMinutes = async (attempt: Attempt, app: string): Promise<Outcome> => {
  const [node, command] = installedCommand(app)
  const env = environment(app)
  const create = [command, 'user', 'create', '--email', DEMO.email, '--password-stdin']
  const steps = [
    () => attempt(node, [command, 'migrate'], app, { env }),
    () => attempt(node, create, app, { env, input: DEMO.password }),
    () => requireAll(attempt, app),
  ]
  for (const step of steps) {
    const outcome = await step()
    if (!outcome.ok) return outcome
  }
  return runClientProgram(attempt, app)
}
