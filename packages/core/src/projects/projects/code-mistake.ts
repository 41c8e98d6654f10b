/** A host's function for codes gave what no project can be called by: a mistake of the host's, which no caller can mend. */
export class ProjectCodeMistake extends Error {
  override readonly name = 'ProjectCodeMistake'
}
