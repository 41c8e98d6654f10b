import type { Operation } from '@countersign/contract'

/** What a path leads to, and the members that stand in it. */
export interface PlainRoute<T> {
  readonly target: T
  readonly members: Readonly<Record<string, string>>
}

/** Members that are the same decoded: of ids and codes all are. */
const toPattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[\\w-]+)')}$`)

const hasMembers = (path: string): boolean => path.includes('{')

const noMembers = {}

/**
 * Finds operations by paths that are written to the letter: without a query, and members without an escape. Where several
 * would match, the first one given counts, as with a router.
 */
export const plainRoutes = <T>(routes: readonly (readonly [Pick<Operation, 'method' | 'path'>, T])[]) => {
  const exact = new Map<string, Map<string, PlainRoute<T>>>()
  const patterns = new Map<string, { readonly pattern: RegExp; readonly target: T }[]>()
  for (const [{ method, path }, target] of routes) {
    const before = patterns.get(method) ?? []
    if (hasMembers(path)) {
      patterns.set(method, [...before, { pattern: toPattern(path), target }])
    } else if (before.every(({ pattern }) => !pattern.test(path))) {
      const ofMethod = exact.get(method) ?? new Map<string, PlainRoute<T>>()
      exact.set(method, ofMethod.set(path, ofMethod.get(path) ?? { target, members: noMembers }))
    }
  }

  const matching = (method: string, path: string): PlainRoute<T> | undefined => {
    for (const { pattern, target } of patterns.get(method) ?? []) {
      const match = pattern.exec(path)
      if (match !== null) return { target, members: { ...match.groups } }
    }
    return undefined
  }

  return (method: string, path: string): PlainRoute<T> | undefined => exact.get(method)?.get(path) ?? matching(method, path)
}
