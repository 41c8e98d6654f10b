import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../workspace.ts'

/** The files that the build reads. Tests and their helpers are not among them. */
const inputs = [
  'package.json',
  'pnpm-lock.yaml',
  'tsconfig.base.json',
  'tsup.config.ts',
  'tools/workspace.ts',
  'tools/build/*.ts',
  // `@countersign/storage-postgres/testing` starts a server and makes databases by these.
  'tools/testing/{create-database-directory,free-port,start-postgres,start-watch,template-database}.ts',
  'packages/*/package.json',
  'packages/*/tsconfig.build.json',
  'packages/*/src/**',
  'packages/*/build/**',
]

const isTest = (path: string): boolean => path.endsWith('.test.ts')

/** Returns a digest of the names and contents of all inputs of the build. */
export const fingerprint = (): string => {
  const hash = createHash('sha256')
  const files = globSync(inputs, { cwd: repository, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !isTest(path))
    .sort()
  for (const path of files) {
    const content = readFileSync(path)
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
