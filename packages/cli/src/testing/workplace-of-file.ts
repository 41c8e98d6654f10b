import type { OpenCountersign } from '@countersign/server'
import { afterAll } from 'vitest'
import { openCore } from './open-core.ts'
import { createWorkplace, type Workplace } from './run-command.ts'

/** Creates a workplace for all tests of a file. */
export const workplaceOfFile = (): Workplace => {
  const here = createWorkplace()
  afterAll(() => here.remove())
  return here
}

/** Creates a workplace for all tests of a file, with the core on its migrated database. */
export const openWorkplaceOfFile = async (): Promise<{ readonly here: Workplace; readonly server: OpenCountersign }> => {
  const here = workplaceOfFile()
  const server = await openCore(here)
  afterAll(() => server.close())
  return { here, server }
}
