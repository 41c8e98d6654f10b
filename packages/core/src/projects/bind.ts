import { checkCallerOrAdmin, checkCallerWithPermissions } from '../identity/host-field-checks.ts'
import { useCaseBinders } from '../shared/bind-use-cases.ts'
import { importInput, text } from '../shared/input-schemas.ts'
import { bindRegistry } from '../shared/schema-registry/bind-registry.ts'
import { listVersions } from '../shared/schema-registry/read-versions.ts'
import { createCustomer, listCustomers } from './customers/customers.ts'
import type { ProjectDeps } from './deps.ts'
import { importExpenses, sumExpenses } from './expenses/expenses.ts'
import { createProductChecker } from './product-schemas/check-products.ts'
import { listProductSchemasOfType, productSchemaRegistry } from './product-schemas/product-schema.ts'
import { createProject, type NewProjectOfCaller } from './projects/create-project.ts'
import { getProject, listProjects } from './projects/read-projects.ts'
import { removeProject } from './projects/remove-project.ts'
import { approveProject, setProgress, updateProject } from './projects/update-project.ts'
import { countResources, importResources } from './resources/resources.ts'

export const bindProjects = (deps: ProjectDeps) => {
  const { checked, shaped } = useCaseBinders(deps)
  const creating = { ...deps, checkProducts: createProductChecker(deps) }
  return {
    customers: { create: shaped({ name: text, email: text }, createCustomer), list: () => listCustomers(deps) },
    projects: {
      list: checked('projects.list', listProjects, { caller: checkCallerOrAdmin }),
      get: checked('projects.get', getProject, { caller: checkCallerOrAdmin }),
      create: checked('projects.create', (_, input: NewProjectOfCaller) => createProject(creating, input), {
        caller: checkCallerWithPermissions,
      }),
      update: checked('projects.update', updateProject, { caller: checkCallerOrAdmin }),
      approve: checked('projects.approve', approveProject, { caller: checkCallerOrAdmin }),
      setProgress: checked('projects.setProgress', setProgress, { caller: checkCallerOrAdmin }),
      remove: checked('projects.remove', removeProject, { caller: checkCallerOrAdmin }),
    },
    productSchemas: {
      ...bindRegistry(productSchemaRegistry, deps),
      list: () => listVersions(productSchemaRegistry, deps),
      ofType: checked('productSchemas.ofType', listProductSchemasOfType, {}),
    },
    resources: {
      count: checked('projects.countResources', countResources, { caller: checkCallerOrAdmin }),
      import: shaped(importInput, importResources),
    },
    expenses: {
      sum: checked('projects.sumExpenses', sumExpenses, { caller: checkCallerOrAdmin }),
      import: shaped(importInput, importExpenses),
    },
  }
}
