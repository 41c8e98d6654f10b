/** The part of a person in a project. */
export type ProjectRole = 'creator' | 'participant' | 'remover'

/** The people of a project, as far as they concern one person. */
interface ProjectPeople {
  readonly creatorId: number
  readonly isParticipant: boolean
  readonly removedBy: number | null
}

/** Returns the roles of a user in a project: none for a user who has nothing to do with it. */
export const rolesOf = (userId: number, { creatorId, isParticipant, removedBy }: ProjectPeople): readonly ProjectRole[] => {
  const roles = { creator: creatorId === userId, participant: isParticipant, remover: removedBy === userId }
  return (['creator', 'participant', 'remover'] as const).filter((role) => roles[role])
}
