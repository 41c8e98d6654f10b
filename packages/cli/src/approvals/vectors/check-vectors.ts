import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandFailed } from '../../shared/failures.ts'
import { parseJson } from '../../shared/parse-json.ts'

/** One case of the vectors, with the members that a verifier or a signer gets. */
export interface VectorCase {
  readonly name: string
  readonly expected: 'genuine' | 'partial' | 'refused'
  /** The step at which a refused case must be refused. */
  readonly step?: string
  readonly [given: string]: unknown
}

export interface VectorFile {
  readonly about: string
  readonly cases: readonly VectorCase[]
}

/** The kinds of vectors: receipts for verifiers, and pending confirmations for signers. */
export const vectorKinds = ['receipts', 'signing'] as const
export type VectorKind = (typeof vectorKinds)[number]

const files: Readonly<Record<VectorKind, () => Promise<{ readonly default: VectorFile }>>> = {
  receipts: () => import('@countersign/contract/vectors/receipts.json', { with: { type: 'json' } }),
  signing: () => import('@countersign/contract/vectors/signing.json', { with: { type: 'json' } }),
}

/** Writes a verdict with its step: `refused at statement`. */
const told = (verdict: unknown, step: unknown): string =>
  `${String(verdict)}${verdict === 'refused' && step !== undefined ? ` at ${String(step)}` : ''}`

const toldBy = (line: string | undefined): string => {
  if (line === undefined) return 'no answer'
  const answer = parseJson(line)
  if (answer === undefined) return 'no JSON'
  const { verdict, step } = Object(answer) as { readonly verdict?: unknown; readonly step?: unknown }
  return told(verdict, step)
}

/** Escapes the separators that JSON allows in a text, and at which some readers of lines end a line. */
const oneLine = (json: string): string => json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

/** Runs a command with these lines on its standard input, and returns the lines of its standard output. @throws CommandFailed */
const linesOf = async (command: string, input: readonly string[]): Promise<readonly string[]> => {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  // A command that ends early does not read the rest.
  const written = pipeline(Readable.from(input), child.stdin).catch(() => {})
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) lines.push(line)
  await written
  const code = await ended
  if (code !== 0)
    throw new CommandFailed(`the command ended with ${code ?? 'a signal'} after ${lines.length} of ${input.length} answers`)
  return lines
}

/**
 * Feeds vectors to a foreign verifier or signer: a JSON object a line on its standard input, and `{ "verdict": …, "step": … }` a
 * line expected on its standard output, in the same order. Returns the wrong answers. @throws CommandFailed if the command fails
 */
export const checkVectors = async (command: string, kinds: readonly VectorKind[]) => {
  const given = (await Promise.all(kinds.map(async (kind) => ({ kind, cases: (await files[kind]()).default.cases })))).flatMap(
    ({ kind, cases }) => cases.map((one) => ({ kind, ...one })),
  )
  // The command must not be given the expected answer.
  const input = given.map(({ name: _, expected: __, step: ___, ...rest }) => `${oneLine(JSON.stringify(rest))}\n`)
  const answers = await linesOf(command, input)
  const differences = given.flatMap(({ kind, name, expected, step }, at) => {
    const [wanted, answered] = [told(expected, step), toldBy(answers[at])]
    return wanted === answered ? [] : [{ kind, name, expected: wanted, answered }]
  })
  return { cases: given.length, differences }
}
