import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { capture } from '../capture.ts'
import { readManifest } from '../workspace.ts'
import { type Registry, startRegistry } from './registry.ts'

/** The registry, shared by all pages because packing takes seconds. It ends with this process. */
let registry: Promise<Registry> | undefined
/** The output of npm for each command so far; several pages begin with the same command. */
const outputs = new Map<string, Promise<string>>()

const namesIn = (command: string): readonly string[] =>
  command
    .split(/\s+/)
    .slice(2)
    .filter((word) => !word.startsWith('-'))

/** Returns arguments of Node that make the smallest use of an installed package. */
const waysToUse = (directory: string): readonly string[] => {
  const { name, bin } = readManifest(directory)
  const [command] = Object.values(bin ?? {})
  return command === undefined
    ? ['--input-type=module', '-e', `await import('${name}')`]
    : [join(directory, command), '--version']
}

/**
 * Runs `npm install …` in an empty folder, once for each command. The registry offers our packages as published and other
 * packages as installed in the repository. Then imports each package, or asks its command for the version. Resolves with the
 * output of npm.
 */
export const installFrom = (command: string, env: NodeJS.ProcessEnv): Promise<string> => {
  const output = outputs.get(command) ?? install(command, env)
  outputs.set(command, output)
  return output
}

const install = async (command: string, env: NodeJS.ProcessEnv): Promise<string> => {
  registry ??= startRegistry()
  const { url, cache } = await registry
  const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-install-'))
  try {
    const app = join(directory, 'app')
    mkdirSync(app)
    writeFileSync(join(app, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    writeFileSync(join(app, '.npmrc'), `registry=${url}\ncache=${cache}\naudit=false\nfund=false\nignore-scripts=true\n`)
    const installed = await capture('bash', ['-c', command], app, env)
    expect(installed.ok, installed.output).toBe(true)
    for (const name of namesIn(command)) {
      const used = await capture(process.execPath, waysToUse(join(app, 'node_modules', name)), app, env)
      expect(used.ok, used.output).toBe(true)
    }
    return installed.output
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
