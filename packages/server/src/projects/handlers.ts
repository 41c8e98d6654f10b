import { projectOperations } from '@countersign/contract'
import type { CountersignProjects } from '@countersign/core'
import type { HandlersOf, OperationCall, OperationHandler } from '../http/operation-handler.ts'

type ProjectHandlers = HandlersOf<typeof projectOperations>
type ProjectOperationName = keyof ProjectHandlers

/** Makes the handlers of projects. Their code is loaded at the first request: a process without projects never loads it. */
export const lazyProjectHandlers = (countersign: CountersignProjects): ProjectHandlers => {
  let loading: Promise<ProjectHandlers> | undefined
  const lazily = <N extends ProjectOperationName>(name: N): OperationHandler<N> => {
    return async (call: OperationCall<N>) => {
      loading ??= import('./routes/projects.ts').then((routes) => routes.projectHandlers(countersign))
      const handlers = await loading
      return handlers[name](call)
    }
  }
  const names = Object.keys(projectOperations) as ProjectOperationName[]
  return Object.fromEntries(names.map((name) => [name, lazily(name)])) as unknown as ProjectHandlers
}
