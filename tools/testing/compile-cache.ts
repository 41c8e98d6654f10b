import { join } from 'node:path'
import { repository } from '../workspace.ts'

/** The environment of processes that tests start from the sources. The processes share one cache of compiled modules. */
export const compileCache = { NODE_COMPILE_CACHE: join(repository, 'node_modules', '.cache', 'node') } as const
