import type { ListAll, Page } from '@countersign/core'
import type { CliCommand } from './cli-command.ts'
import { instant, pageSize, userIdOrEmail } from './option-values.ts'

export interface ListOptions extends Omit<ListAll, 'email' | 'userId'> {
  readonly user?: Pick<ListAll, 'email' | 'userId'>
}

export const addListOptions = (command: CliCommand, things: string): CliCommand =>
  command
    .option('--user <user>', `only ${things} of the user with this email or id`, userIdOrEmail)
    .option('--since <date>', 'only those from this day or time on, in UTC', instant)
    .option('--before <date>', 'only those before this day or time, in UTC', instant)
    .option('--after <position>', 'continue after this position, which the previous page shows')
    .option('--limit <count>', 'the greatest number in the answer, up to 1000; 100 by default', pageSize)

export const toListAll = ({ user, ...page }: ListOptions): ListAll => ({ ...user, ...page })

/** Returns a warning with the position of the next page if a list goes on, also for programs that read JSON. */
export const nextPage = ({ next }: Pick<Page<unknown>, 'next'>): readonly string[] =>
  next === null ? [] : [`the list goes on with --after ${next}`]
