import { setTimeout as pause } from 'node:timers/promises'
import type { Countersign, errors } from '@countersign/core'
import type { CommandContext } from './command-context.ts'
import { CommandFailed } from './failures.ts'
import type { Texts } from './option-values.ts'
import { printable } from './output.ts'

/** The option of commands that a gate can guard. */
export const asOption = ['--as <user>', 'the user who approves on a device, if a gate asks for an approval'] as const

export type As = Texts<'as'>

/** The user who approves, and the approval. Both are missing if no gate needs an approval. */
export interface GivenApproval {
  readonly userId: number | undefined
  readonly confirmationId: string | undefined
}

const INTERVAL = 1000

/** Asks for the approval of an action, and waits until the user has decided. @throws CommandFailed without an approval */
const awaitApproval = async (
  { stderr }: Pick<CommandContext, 'stderr'>,
  { confirmations }: Pick<Countersign, 'confirmations'>,
  { userId, email }: { readonly userId: number; readonly email: string },
  action: errors.RequiredAction,
): Promise<string> => {
  const { id: confirmationId, matchNumber } = await confirmations.initiate({
    ...action,
    caller: { userId },
    numberMatching: true,
  })
  stderr.write(`${printable(`Waiting for ${email} to approve on a device. The number is ${matchNumber}.`)}\n`)
  for (;;) {
    const { status } = await confirmations.status({ caller: { userId }, confirmationId })
    if (status === 'approved') return confirmationId
    if (status !== 'pending') throw new CommandFailed(`the confirmation is ${status}; nothing was changed`)
    await pause(INTERVAL)
  }
}

/**
 * Runs a command that a gate can guard. If the gate refuses, the user of `--as` approves on a device, and the command runs once
 * more. @throws CommandFailed without `--as`, or if the user does not approve
 */
export const withApproval = async <T>(
  context: Pick<CommandContext, 'stderr'>,
  countersign: Pick<Countersign, 'users' | 'confirmations'>,
  as: string | undefined,
  run: (approval: GivenApproval) => Promise<T>,
): Promise<T> => {
  const user = as === undefined ? undefined : await countersign.users.find({ email: as })
  try {
    return await run({ userId: user?.id, confirmationId: undefined })
  } catch (error) {
    const { errors } = await import('@countersign/core')
    if (!(error instanceof errors.ConfirmationRequired)) throw error
    if (user === undefined)
      throw new CommandFailed('a gate asks for an approval; name the user who approves with --as <user>', { cause: error })
    const { id: userId, email } = user
    const confirmationId = await awaitApproval(context, countersign, { userId, email }, error.details)
    return run({ userId, confirmationId })
  }
}
