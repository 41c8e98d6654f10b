import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, cpus, release, type } from 'node:os'

/** Describes the machine in a few words. */
export const describeMachine = (): string => {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  return `${availableParallelism()} cores of ${model}, ${type()} ${release()}, Node ${process.versions.node}`
}

const compared = ['hono', '@hono/node-server', 'better-auth', 'better-sqlite3', '@node-rs/argon2', 'pg', 'undici', 'autocannon']

interface Manifest {
  readonly version: string
}

/** Lists the measured libraries and the measuring tools with their installed versions. */
export const describeVersions = (): string => {
  const paths = createRequire(import.meta.url).resolve.paths('countersign-bench') ?? []
  const versionOf = (name: string): string => {
    for (const path of paths) {
      try {
        return (JSON.parse(readFileSync(`${path}/${name}/package.json`, 'utf8')) as Manifest).version
      } catch {
        // The library is not in this folder.
      }
    }
    return 'unknown'
  }
  return compared.map((name) => `${name} ${versionOf(name)}`).join(', ')
}
