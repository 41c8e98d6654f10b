import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { spareMemory } from '../spare-memory.ts'

/**
 * A process that creates many small objects. It prints by how many MB its young generation has grown.
 *
 *     node allocate.ts <spared|left> <turns> <objects made in a turn> <objects alive at a time>
 */

const [how, ...numbers] = process.argv.slice(2)
const [turns = 0, madeInTurn = 0, alive = 0] = numbers.map(Number)
/** Work beside the allocations, about a millisecond for each turn. */
const work = Buffer.alloc(2 ** 19)

const youngGeneration = (): number =>
  (getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? Number.NaN) / 2 ** 20

const kept: object[] = []
let made = 0
const makeMany = (): void => {
  for (const end = made + madeInTurn; made < end; made += 1) kept[made % alive] = { made, beside: [made] }
}

// The number of live objects is the same from the start.
while (made < 2 * alive) makeMany()
const before = youngGeneration()
if (how === 'spared') spareMemory()
for (let turn = 0; turn < turns; turn += 1) {
  makeMany()
  createHash('sha256').update(work).digest()
  await setImmediate()
}
process.stdout.write(String(youngGeneration() - before))
