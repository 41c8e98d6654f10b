import { setImmediate } from 'node:timers/promises'
import type { ProjectQuery } from '@countersign/core/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Readable } from '../../../shared/database.ts'
import type { DialectFeatures } from '../../../shared/dialect-features.ts'
import { type ProjectRow, selectedColumns } from '../project-rows.ts'
import type { Anchor } from './list-cache.ts'

/** A list in the order of an index, to be walked in either direction. */
export interface Walk {
  readonly database: Readable
  readonly features: Pick<DialectFeatures, 'projectsByIndex'>
  readonly index: string
  readonly column: ProjectQuery['sort']
  readonly condition: RawBuilder<SqlBool>
  readonly total: number
  /** The share of the index's rows that are on the list. */
  readonly density: number
  /** Known rows of the list, by rising position; laid further as the walk goes. */
  readonly anchors: Anchor[]
}

/** Anchors lie so far apart, in rows of the index, that no page walks over more than this. */
const STRIDE = 2000
const SHORTEST_STRIDE = 20
/** A page that lies farther from a known row than this, in rows of the index, becomes one: asked again, it is at hand. */
const FAR = 250

const strideOf = ({ density }: Walk): number => Math.max(SHORTEST_STRIDE, Math.floor(STRIDE * density))

interface Leg {
  readonly way: 'up' | 'down'
  /** Where to enter; at the end of the list that the way leads from where there is none. */
  readonly from: Anchor | undefined
  /** Rows to pass over, the one entered at included. */
  readonly pass: number
  readonly take: number
}

const readLeg = async <R>(
  { database, features, index, column, condition }: Walk,
  { way, from, pass, take }: Leg,
  columns: RawBuilder<unknown>,
): Promise<readonly R[]> => {
  const key = sql.ref(`projects.${column}`)
  const compare = way === 'up' ? sql`>=` : sql`<=`
  const order = way === 'up' ? sql`asc` : sql`desc`
  const entered = from === undefined ? sql`` : sql`and (${key}, projects.id) ${compare} (${from.key}, ${from.id})`
  const query = sql<R>`
    select ${columns} from ${features.projectsByIndex(index)}
    where ${condition} ${entered}
    order by ${key} ${order}, projects.id ${order}
    limit ${take} offset ${pass}`
  const { rows } = await database.read((db) => query.execute(db))
  return rows
}

/** The known row nearest to a position from below, and from above. */
const neighbours = (anchors: readonly Anchor[], position: number) => {
  const next = anchors.findIndex((anchor) => anchor.position > position)
  if (next === -1) return { below: anchors.at(-1), above: undefined }
  return { below: anchors[next - 1], above: anchors[next] }
}

/** Others may have laid the same anchor while it was read. */
const insert = (anchors: Anchor[], anchor: Anchor): void => {
  const next = anchors.findIndex(({ position }) => position >= anchor.position)
  if (next === -1) anchors.push(anchor)
  else if (anchors[next]?.position !== anchor.position) anchors.splice(next, 0, anchor)
}

/**
 * Lays anchors from the nearer side until one lies within a stride of the position. What one page walked over, no later
 * page does again. `false` where the list turned out shorter than its total: it was changed meanwhile.
 */
const approach = async (walk: Walk, position: number): Promise<boolean> => {
  const anchorColumns = sql`${sql.ref(`projects.${walk.column}`)} as key, projects.id as id`
  const stride = strideOf(walk)
  for (;;) {
    const { below, above } = neighbours(walk.anchors, position)
    const fromBelow = position - (below?.position ?? 0)
    const fromAbove = (above?.position ?? walk.total) - position
    if (Math.min(fromBelow, fromAbove) <= stride) return true
    const leg: Leg & { readonly position: number } =
      fromBelow <= fromAbove
        ? { way: 'up', from: below, pass: stride, take: 1, position: (below?.position ?? 0) + stride }
        : {
            way: 'down',
            from: above,
            pass: above ? stride : stride - 1,
            take: 1,
            position: (above?.position ?? walk.total) - stride,
          }
    const [row] = await readLeg<{ key: string | number; id: string }>(walk, leg, anchorColumns)
    if (row === undefined) return false
    insert(walk.anchors, { position: leg.position, ...row })
    // A long way is walked in steps between which others have their turn.
    await setImmediate()
  }
}

/** Reads the rows from `start` up to `end`, in rising order; fewer where the list was changed meanwhile. */
export const readRange = async (walk: Walk, start: number, end: number): Promise<readonly ProjectRow[]> => {
  if (!(await approach(walk, start))) return []
  const { below } = neighbours(walk.anchors, start)
  const { above } = neighbours(walk.anchors, end - 1)
  const fromBelow = start - (below?.position ?? 0)
  const fromAbove = (above?.position ?? walk.total) - end
  const rows = await (fromBelow <= fromAbove
    ? readUp(walk, below, fromBelow, end - start)
    : readDown(walk, above, fromAbove, end - start))
  const [first] = rows
  if (first !== undefined && rows.length === end - start && Math.min(fromBelow, fromAbove) > FAR * walk.density) {
    insert(walk.anchors, { position: start, key: first[walk.column], id: first.id })
  }
  return rows
}

const readUp = (walk: Walk, from: Anchor | undefined, pass: number, take: number): Promise<readonly ProjectRow[]> =>
  readLeg<ProjectRow>(walk, { way: 'up', from, pass, take }, selectedColumns)

const readDown = async (walk: Walk, from: Anchor | undefined, pass: number, take: number): Promise<readonly ProjectRow[]> => {
  const enteredAt = from === undefined ? 0 : 1
  return (await readLeg<ProjectRow>(walk, { way: 'down', from, pass: pass + enteredAt, take }, selectedColumns)).toReversed()
}
