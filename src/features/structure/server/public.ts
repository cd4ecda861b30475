export { pauseCampaign, undoGroup } from './edit/act-on-campaign.ts'
export { editMany } from './edit/bulk-edit.ts'
export { previewEdits } from './edit/preview-edits.ts'
export { type CreatedRow, createRows, findLike, type NewRow } from './create/create-rows.ts'
export { removeNegative, resendNewRows, retryNegative } from './create/remove-rows.ts'
export {
  type ChangeOutside,
  changesOutside,
  lastChanges,
  type RunningAd,
  runningAds,
} from './changes/changed-outside.ts'
export { newGroup } from './changes/record-changes.ts'
export { type Created, type ImportProgress, importStructure, saveCreated } from './import/import-structure.ts'
export { type AddedNegative, addedNegatives } from './sql/added-negatives.ts'
export { coveringKeyword, coveringNegative, describedTargets } from './sql/covering-clauses.ts'
export { matching, type Owner, selectList, sortKey, tableOf } from './sql/entity-sql.ts'
export { addedTo, type MirroredKind, runningTargets } from './sql/find-targets.ts'
export {
  type CampaignOwner,
  campaignOwners,
  campaignsByIds,
  ensureCampaigns,
  idExists,
  idsOf,
  isOfAdType,
  mirroredRows,
  nameTaken,
  otherAdTypes,
  saveLaunched,
  type TestedCampaign,
} from './sql/find-rows.ts'
export { mirrorCampaigns, synchronizeAccount, synchronizeAccounts } from './import/synchronize.ts'
export { lockRows, type RowWithParents } from './sql/edit-rows.ts'
export { dueSynchronizations, inGroups } from './sql/sync-state.ts'
export { noteShown, selectShown } from './sql/shown-rows.ts'
export { countTargets } from './sql/target-counts.ts'
export { structureSynchronized } from './signals.ts'
