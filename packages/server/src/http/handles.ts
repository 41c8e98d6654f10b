import type { Hono } from 'hono'
import { pathBelow } from './base-path.ts'
import { pathOfTarget } from './paths.ts'

const toPattern = (path: string): string => path.replaceAll('.', String.raw`\.`).replaceAll(/:\w+/g, '[^/]+')

/**
 * Makes a function that tells whether a request is for an app, by its target or URL. The answer is about the path alone: a
 * known path with a wrong method is the app's, which answers 405.
 */
export const handledBy = ({ routes }: Pick<Hono, 'routes'>, basePath: string): ((target: string) => boolean) => {
  // A wildcard is no path of the app: it answers preflights, whose paths stand among the others.
  const paths = routes.map(({ path }) => path).filter((path) => !path.includes('*'))
  const patterns = new Set(paths.map(toPattern))
  const known = new RegExp(`^(?:${[...patterns].join('|')})$`)
  return (target) => known.test(pathBelow(basePath, pathOfTarget(target) ?? ''))
}
