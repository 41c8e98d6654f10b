import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProjectDetail } from '@countersign/core'
import { createTestUser } from '@countersign/core/testing'
import type { OpenCountersign } from '@countersign/server'
import { openCore } from './open-core.ts'
import { createWorkplace, type Workplace } from './run-command.ts'

/** A workplace whose database has a customer and a user who creates projects. */
export interface ProjectWorkplace extends Workplace {
  readonly server: OpenCountersign
  readonly customerId: string
  create(name: string): Promise<ProjectDetail>
  /** Writes a file into the workplace and returns its path. */
  write(name: string, content: string | Uint8Array): string
  close(): Promise<void>
}

export const createProjectWorkplace = async (): Promise<ProjectWorkplace> => {
  const here = createWorkplace()
  const server = await openCore(here)
  const { customers, projects } = server.countersign
  const { id: customerId } = await customers.create({ name: 'ACME GmbH', email: 'office@acme.example' })
  const { id: userId } = await createTestUser(server, { email: 'ada@example.com', name: 'Ada' })
  const caller = { userId, permissions: ['project.create'] }
  return {
    ...here,
    server,
    customerId,
    create: (name) => projects.create({ caller, name, customerId, contractValue: 1000.5, currency: 'EUR' }),
    write: (name, content) => {
      const path = join(here.directory, name)
      writeFileSync(path, content)
      return path
    },
    close: async () => {
      await server.close()
      here.remove()
    },
  }
}
