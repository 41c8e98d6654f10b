import type { Customer } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import type { CommandContext } from '../shared/command-context.ts'
import { table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'

const toJson = ({ id, name, email }: Customer) => ({ id, name, email })

const allCustomers = (context: CommandContext): Promise<readonly Customer[]> =>
  withCountersign(context, async ({ customers }) => {
    const all: Customer[] = []
    for await (const customer of customers.list()) all.push(customer)
    return all
  })

/** `countersign customer …`: the customers of projects. */
export const addCustomerCommands = (program: CliCommand, context: CommandContext): void => {
  const customer = program.command('customer').description('Create and list customers')

  customer
    .command('create')
    .description('create a customer')
    .requiredOption('--name <name>', 'name of the customer')
    .requiredOption('--email <email>', 'email of the customer; several customers may share one')
    .example('countersign customer create --name "ACME GmbH" --email office@acme.example')
    .answer(async ({ name, email }: { readonly name: string; readonly email: string }) => {
      const created = await withCountersign(context, ({ customers }) => customers.create({ name, email }))
      return { json: toJson(created), text: `Created customer ${created.id}: ${created.name}` }
    })

  customer
    .command('list')
    .description('list all customers')
    .example('countersign customer list --json')
    .answer(async () => {
      const customers = (await allCustomers(context)).map(toJson)
      return { json: customers, text: (screen) => table(customers, { screen, empty: 'There are no customers.' }) }
    })
}
