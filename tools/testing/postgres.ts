import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { readWorkspace, siblingsOf, type WorkspacePackage } from '../workspace.ts'
import { browserProject } from './chromium.ts'
import { startPostgres } from './start-postgres.ts'

const ADAPTER = '@countersign/storage-postgres'

/** @param seen The packages that were looked at: the tests of the core use an adapter, which uses the core. */
const standsOnPostgres = (one: WorkspacePackage, workspace: readonly WorkspacePackage[], seen = new Set<string>()): boolean => {
  if (seen.has(one.name)) return false
  seen.add(one.name)
  return one.name === ADAPTER || siblingsOf(one, workspace).some((sibling) => standsOnPostgres(sibling, workspace, seen))
}

const dropDatabase = async (server: string, name: string): Promise<void> => {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`drop database if exists ${name}`)
  await client.end()
}

/** Projects of Vitest that are not packages, and use the adapter. */
const BESIDES = ['tools', 'examples', 'bench', browserProject]

/** Global set-up of Vitest: starts one server for a run in which a selected project can reach the PostgreSQL adapter. */
export default async function setup({ vitest, provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const workspace = readWorkspace()
  const selected = new Set(vitest.projects.map(({ name }) => name))
  const isNeeded = workspace.some((one) => selected.has(one.name) && standsOnPostgres(one, workspace))
  if (!isNeeded && !BESIDES.some((name) => selected.has(name))) return undefined

  const given = process.env.TEST_POSTGRES_URL
  const template = `test_template_${process.pid}`
  provide('postgresTemplate', template)
  if (given !== undefined) {
    provide('postgresUrl', given)
    return () => dropDatabase(given, template)
  }
  const server = await startPostgres()
  provide('postgresUrl', server.url)
  return () => server.remove()
}
