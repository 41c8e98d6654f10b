import { Conflict, NotFound } from '../../shared/errors.ts'

/** There is no project of this code, or it was deleted. */
export class ProjectNotFound extends NotFound {
  static readonly code = 'project_not_found'
  override readonly code = ProjectNotFound.code
  constructor() {
    super('Project not found')
  }
}

/** The host's own function for codes gave one out twice. */
export class ProjectCodeTaken extends Conflict {
  static readonly code = 'project_code_taken'
  override readonly code = ProjectCodeTaken.code
  constructor() {
    super('A project with this code exists already')
  }
}
