import type { Draws } from './draw.ts'

/**
 * Returns the id from 1 to `lastId` that a subject draws. All ids are equally likely. While `lastId` grows, a subject keeps its
 * id, or moves to one of the new ids (jump consistent hash; Lamping, Veach 2014).
 */
export const drawId = ({ uniform }: Draws, lastId: number): number => {
  let id = 1
  for (let next = 1, jump = 0; next <= lastId; jump += 1) {
    id = next
    next = Math.floor(id / (1 - uniform(`jump ${jump}`))) + 1
  }
  return id
}
