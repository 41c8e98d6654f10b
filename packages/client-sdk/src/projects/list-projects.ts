import type { Input, Output } from '@countersign/contract'
import type { Call, CallOptions } from '../http/call.ts'

/** A project in a list. */
export type ListedProject = Output<'projects.list'>['data'][number]

/**
 * A page of projects as a promise; with `for await`, every project from that page on. A project that moves to a page before during
 * the iteration, because others were deleted, is missed.
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
