import { Conflict, NotFound } from '../../shared/errors.ts'

/** No project has this code, or the project was deleted. */
export class ProjectNotFound extends NotFound {
  static readonly code = 'project_not_found'
  override readonly code = ProjectNotFound.code
  constructor() {
    super('Project not found')
  }
}

/** The host's function `projectCode` returned a code that another project has. */
export class ProjectCodeTaken extends Conflict {
  static readonly code = 'project_code_taken'
  override readonly code = ProjectCodeTaken.code
  constructor() {
    super('A project with this code exists already')
  }
}
