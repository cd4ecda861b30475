import type { EntityFamily } from './entity-kind.ts'

/** What the resources of v3 have in common, whatever they call the reasons of a status. */
export const versionThree = {
  refusesLargerPages: false,
  mostIds: 1000,
  mostParents: 100,
  alwaysWhole: false,
  takesPlainJson: false,
} satisfies Partial<EntityFamily>

/** When an entity was made and changed, as v3 writes it. */
export const datedIso = ({ createdAt, updatedAt }: { createdAt: number; updatedAt: number }) => ({
  creationDateTime: new Date(createdAt).toISOString(),
  lastUpdateDateTime: new Date(updatedAt).toISOString(),
})
