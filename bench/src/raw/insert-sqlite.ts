import { searchedText } from '@countersign/core/storage'
import { answerCalls } from '../harness/calls.ts'
import { repeat } from '../harness/repeat.ts'
import { codeOf, drawProject, idOf } from '../lists/projects.ts'
import { createDraw } from '../lists/random.ts'
import { openDurable } from './open-sqlite.ts'
import { createPlain, gatherIn, indexAfter, insertInto, NO_DATE, type ProjectValues } from './project-rows.ts'

/** A contender that inserts rows of projects. */
export interface InsertLimit {
  readonly path: string
  /** True with keys, references and the indexes of lists and searches; false without any. */
  readonly isIndexed: boolean
  /** The number of rows in a durable transaction. At its end, searches find all of them. */
  readonly together: number
}

const SEED = 20_270_101
const DRAWN = 5000

/** Returns rows of projects as in the lists benchmark, drawn beforehand, each with a new id and code in rising order. */
const drawRows = (from: number): (() => ProjectValues) => {
  const draw = createDraw(SEED)
  const projects = Array.from({ length: DRAWN }, (_, index) => {
    const project = drawProject(draw, from + index, 1)
    const { name, status, progress, contractValue, currency, description, replyDate, customerId, updatedAt } = project
    const texts = [name, status, progress, contractValue, currency, description, searchedText(project)]
    return { values: [...texts, replyDate ?? NO_DATE, customerId, 1, '[]'], updatedAt }
  })
  let number = from
  return () => {
    const { values, updatedAt } = projects[number % DRAWN] as (typeof projects)[number]
    number += 1
    return [idOf(number), codeOf(number), ...values, updatedAt + number, updatedAt + number]
  }
}

let operate: () => void = () => {}
let operationsEach = 1

const open = async ({ path, isIndexed, together }: InsertLimit): Promise<void> => {
  const database = openDurable(path)
  const table = isIndexed ? 'countersign_projects' : 'plain_projects'
  if (!isIndexed) createPlain(database, table)
  const newest = database.prepare<[], number>('select max(seq) from countersign_projects').pluck().get() ?? 0
  const nextRow = drawRows(newest)
  const insert = insertInto(database, table)
  const index = indexAfter(database)
  const gather = gatherIn(database)
  operationsEach = together
  operate = database.transaction(() => {
    let last = 0
    for (let row = 0; row < together; row += 1) last = Number(insert.run(...nextRow()).lastInsertRowid)
    if (!isIndexed) return
    // A request indexes its one row (`gather`); a move between databases indexes many rows at once (`index`).
    if (together === 1) gather(last)
    else index.run(last - together)
  }).immediate
}

const round = async (seconds: number) => {
  const { latency, operations, ...times } = await repeat([operate], seconds)
  return { ...times, operations: operations * operationsEach, ...(latency !== undefined && operationsEach === 1 && { latency }) }
}

export const methods = { open, round }

answerCalls(methods)
