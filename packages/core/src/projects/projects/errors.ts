import { errorOf } from '../../shared/errors.ts'

/** No project has this code, or the project was deleted. */
export class ProjectNotFound extends errorOf('project_not_found') {}

/** The host's function `projectCode` returned a code that another project has. */
export class ProjectCodeTaken extends errorOf('project_code_taken') {}
