import type { Customer } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import { table } from '../shared/listing.ts'

const toJson = ({ id, name, email }: Customer) => ({ id, name, email })

/** `countersign customer …`: the customers of projects. */
export const addCustomerCommands = (program: CliCommand): void => {
  const customer = program.command('customer').description('Create and list customers')

  customer
    .command('create')
    .description('create a customer')
    .requiredOption('--name <name>', 'name of the customer')
    .requiredOption('--email <email>', 'email of the customer; several customers may share one')
    .example('countersign customer create --name "ACME GmbH" --email office@acme.example')
    .use(async ({ customers }, { name, email }: { readonly name: string; readonly email: string }) => {
      const created = await customers.create({ name, email })
      return { json: toJson(created), text: `Created customer ${created.id}: ${created.name}` }
    })

  customer
    .command('list')
    .description('list all customers')
    .example('countersign customer list --json')
    .use(async ({ customers }) => {
      const json: ReturnType<typeof toJson>[] = []
      for await (const one of customers.list()) json.push(toJson(one))
      return { json, text: table(json, 'There are no customers.') }
    })
}
