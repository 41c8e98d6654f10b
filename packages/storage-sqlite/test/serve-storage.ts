import { openSqlite } from '../src/index.ts'

/** A separate process (see `other-process.ts`): opens the given database and executes the calls that it receives. */

export interface Call {
  readonly number: number
  /** `sessions.end`, or a method of the storage itself. */
  readonly method: string
  readonly input: readonly unknown[]
}

export type Answer = { readonly number: number } & ({ readonly output: unknown } | { readonly error: string })

type Method = (...input: readonly unknown[]) => Promise<unknown>

const [, , path = ''] = process.argv
const storage = await openSqlite({ path })

const methodOf = (name: string): Method =>
  name.split('.').reduce<unknown>((owner, key) => (owner as Record<string, unknown>)[key], storage) as Method

const answer = async ({ number, method, input }: Call): Promise<Answer> => {
  try {
    return { number, output: await methodOf(method)(...input) }
  } catch (error) {
    return { number, error: String(error) }
  }
}

process.on('message', (call: Call) => void answer(call).then((reply) => process.send?.(reply)))
process.send?.('ready')
