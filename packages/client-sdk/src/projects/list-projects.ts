import type { Input, Output } from '@countersign/contract'
import type { Call, CallOptions } from '../http/call.ts'

/** A project in a list. */
export type ListedProject = Output<'projects.list'>['data'][number]

/**
 * A page of projects, as a promise. Iterated with `for await`, every project from that page to the last page.
 *
 * The iteration fetches a page when it reaches the page. Projects that are created or deleted meanwhile move the others. The
 * iteration skips a project that moves to the next page, and misses a project that moves to a page before.
 */
export interface ProjectPages extends Promise<Output<'projects.list'>>, AsyncIterable<ListedProject> {}

async function* everyProject(
  call: Call,
  query: Input<'projects.list'>,
  options: CallOptions | undefined,
  first: Promise<Output<'projects.list'>>,
): AsyncGenerator<ListedProject, void> {
  let { data, meta } = await first
  let previous = new Set<string>()
  for (;;) {
    for (const project of data) if (!previous.has(project.id)) yield project
    if (meta.page >= meta.totalPages) return
    previous = new Set(data.map(({ id }) => id))
    ;({ data, meta } = await call('projects.list', { ...query, page: meta.page + 1 }, options))
  }
}

export const listProjects = (call: Call, query: Input<'projects.list'> = {}, options?: CallOptions): ProjectPages => {
  const first = call('projects.list', query, options)
  return Object.assign(first, { [Symbol.asyncIterator]: () => everyProject(call, query, options, first) })
}
