import { sentences } from './sentences.ts'

/** The facts that a caller of each operation of projects and of health must know, beyond its title. */
export const projectDescriptions = {
  'projects.list': sentences(
    'Needs `project.read`. `search` finds its text within name and description, in any case.',
    'Products, tasks and participants are left out.',
  ),
  'projects.get': 'Needs `project.read`. The code is matched exactly. Without the permission, an unknown code gets 403 too.',
  'projects.create': sentences(
    'Needs `project.create`. The project is created completely or not at all.',
    'The attributes of each product must match the schema of its type.',
  ),
  'projects.update': sentences(
    'Needs `project.update`, and for approved projects `project.approve` too.',
    'Unknown members are ignored, so the answer of a read can be sent back. A gate of the host may ask for an approval.',
  ),
  'projects.approve': sentences(
    'Needs `project.approve`. Approving again changes nothing.',
    'If a gate of the host asks for an approval, repeat the call with its id in `Confirmation-Id`.',
  ),
  'projects.setProgress': 'Needs `project.update`. Any stage may follow any other.',
  'projects.remove': 'Needs `project.delete`. The project is shown no more, and its code is never used again.',
  'projects.countResources':
    'Needs `project.read`. A type without resources has one entry with the count 0. `resourceTypes[]` chooses the types.',
  'projects.sumExpenses': 'Needs `project.read`. Sums are exact decimals of at most four places, in the currency of the project.',
  'productSchemas.list': 'Every signed-in user may read them. `version` rises with every change of the registry.',
  'productSchemas.ofType': 'From the oldest version to the newest. The newest active one checks new products.',
} as const

export const healthDescriptions = {
  'health.check': 'The status follows the database alone; cache and push provider are reported beside it. 503 if it is away.',
  'health.live': 'Asks no database. Restart the process if it does not answer.',
  'health.ready': 'The database must take a write within two seconds. 503 otherwise, and while the server is stopping.',
} as const
