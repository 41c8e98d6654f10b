import { limits } from '@countersign/contract'
import { createScanner } from 'jsonc-parser'
import { JsonRefused } from './json-refused.ts'

/** An object or a list that is open where the scanner stands. */
interface Frame {
  /** Names seen so far; `undefined` for a list. */
  readonly names: Set<string> | undefined
  /** The member or item that the scanner is in. */
  at: string | number
  /** Whether the next text is a name. */
  isBeforeName: boolean
}

const UNSTORABLE = /[\0\p{Surrogate}]/u

/** A number that would be parsed as infinite: `1e400`. The words `true`, `false` and `null` are none. */
const isBeyondDouble = (token: string): boolean => /^[-\d]/.test(token) && !Number.isFinite(Number(token))

const refuse = (frames: readonly Frame[], takes: string): never => {
  const path = frames.map(({ at }) => at)
  throw new JsonRefused(path, takes)
}

/** Goes on to the member of this name, in the innermost frame. */
const enterMember = (frames: readonly Frame[], frame: Frame, names: Set<string>, name: string): void => {
  const around = frames.slice(0, -1)
  if (UNSTORABLE.test(name)) refuse(around, 'must not have names that contain NUL or unpaired surrogates')
  // Told of the object around it: as a member's own name it would stand in an error body, and pollute who reads it carelessly.
  if (name === '__proto__') refuse(around, 'must not have a member named __proto__')
  frame.at = name
  frame.isBeforeName = false
  if (names.has(name)) refuse(frames, 'must not be given twice')
  names.add(name)
}

/**
 * Looks through valid JSON for what parsing would hide or what no store could keep: names given twice, `__proto__`, numbers
 * beyond any double, NUL and unpaired surrogates, deep nesting. The scan does not recurse, so no depth ends the process.
 * Bodies of requests, schemas and lines of imports pass here.
 *
 * @param text Valid JSON.
 * @param depth The most objects and lists within each other; by default as many as a body of a request may have.
 * @returns Each member of the outermost object as it is written.
 * @throws JsonRefused naming where, and what it takes
 */
export const inspectJson = (text: string, depth: number = limits.bodyDepth): ReadonlyMap<string, string> => {
  const scanner = createScanner(text, true)
  const frames: Frame[] = []
  const members = new Map<string, string>()
  let memberStart = 0

  /** The value that ends here is one of the object's own: keeps how it is written. */
  const endValue = (): void => {
    const [outermost] = frames
    if (frames.length !== 1 || outermost === undefined) return
    members.set(String(outermost.at), text.slice(memberStart, scanner.getPosition()))
  }
  const beginValue = (): void => {
    if (frames.length === 1) memberStart = scanner.getTokenOffset()
  }
  const open = (names: Set<string> | undefined): void => {
    beginValue()
    if (frames.length >= depth) throw new JsonRefused([], `must be nested at most ${depth} levels deep`)
    frames.push({ names, at: names === undefined ? 0 : '', isBeforeName: names !== undefined })
  }

  for (;;) {
    scanner.scan()
    const frame = frames.at(-1)
    switch (text[scanner.getTokenOffset()]) {
      case undefined:
        return members
      case '{':
        open(new Set())
        break
      case '[':
        open(undefined)
        break
      case '}':
      case ']':
        frames.pop()
        endValue()
        break
      case ',':
        if (frame === undefined) break
        if (typeof frame.at === 'number') frame.at += 1
        else frame.isBeforeName = true
        break
      case ':':
        break
      case '"': {
        const value = scanner.getTokenValue()
        if (frame?.names !== undefined && frame.isBeforeName) {
          enterMember(frames, frame, frame.names, value)
          break
        }
        beginValue()
        if (UNSTORABLE.test(value)) refuse(frames, 'must not contain NUL or unpaired surrogates')
        endValue()
        break
      }
      default:
        beginValue()
        if (isBeyondDouble(scanner.getTokenValue())) refuse(frames, 'must be a number that a double can hold')
        endValue()
    }
  }
}
