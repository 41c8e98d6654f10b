import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '..', '..')
const { platform, arch } = process
const bunArch = arch === 'arm64' ? 'aarch64' : arch

/** Returns the runtime that the repository installs, if npm has one for this system; else the machine's own. */
const find = (own: string, ...path: readonly string[]): string => {
  const installed = join(repository, 'node_modules', ...path)
  return existsSync(installed) ? installed : own
}

export const bun = find('bun', '@oven', `bun-${platform}-${bunArch}`, 'bin', 'bun')
export const deno = find('deno', '@deno', platform === 'linux' ? `linux-${arch}-glibc` : `${platform}-${arch}`, 'deno')

/** Returns whether a command exists. */
export const isThere = (command: string): boolean => spawnSync(command, ['--version']).error === undefined
