/** The host's function `projectCode` returned an invalid code. This is a bug of the host, which no caller can fix. */
export class ProjectCodeMistake extends Error {
  override readonly name = 'ProjectCodeMistake'
}
