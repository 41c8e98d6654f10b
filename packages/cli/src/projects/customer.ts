import type { Customer } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import { table } from '../shared/listing.ts'

const toJson = ({ id, name, email }: Customer) => ({ id, name, email })

export const addCustomerCommands = (program: CliCommand): void => {
  const customer = program.command('customer').description('Create and list customers')

  customer
    .add('create', 'create a customer', '--name "ACME GmbH" --email office@acme.example')
    .requiredOption('--name <name>', 'name of the customer')
    .requiredOption('--email <email>', 'email of the customer; several customers may share one')
    .use(async ({ customers }, { name, email }: { readonly name: string; readonly email: string }) => {
      const created = await customers.create({ name, email })
      return { json: toJson(created), text: `Created customer ${created.id}: ${created.name}` }
    })

  customer.add('list', 'list all customers', '--json').use(async ({ customers }) => {
    const json: ReturnType<typeof toJson>[] = []
    for await (const one of customers.list()) json.push(toJson(one))
    return { json, text: table(json, 'There are no customers.') }
  })
}
