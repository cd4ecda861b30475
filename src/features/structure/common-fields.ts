import * as v from 'valibot'
import type { Fields } from '#shared/fields.ts'
import { id } from '#shared/query-schemas.ts'

// Fields that several entities have.

export const word = v.nullable(v.string())
export const text = v.string()

export const entityState = v.picklist(['ENABLED', 'PAUSED', 'ARCHIVED', 'PROPOSED'])
/** ARCHIVED is final: the marketplace never reopens an archived entity. */
export const newState = v.picklist(['ENABLED', 'PAUSED', 'ARCHIVED'], 'Must be ENABLED, PAUSED or ARCHIVED')

export const identity = {
  id: { label: 'Id', kind: 'id', column: 'id', schema: id, isSortable: true },
  amazonId: { label: 'Marketplace id', kind: 'word', column: 'amazon_id', schema: text, isSortable: true },
} as const satisfies Fields
export const adType = {
  label: 'Ad type',
  kind: 'word',
  column: 'ad_type',
  schema: text,
  isSortable: true,
  port: 'adType',
} as const
export const parents = {
  campaignId: { label: 'Campaign', kind: 'id', column: 'campaign_id', schema: id },
  adGroupId: { label: 'Ad group', kind: 'id', column: 'ad_group_id', schema: id },
} as const satisfies Fields
export const name = {
  label: 'Name',
  kind: 'text',
  column: 'name',
  schema: text,
  isSortable: true,
  port: 'name',
} as const
export const state = {
  label: 'State',
  kind: 'word',
  column: 'state',
  schema: entityState,
  isSortable: true,
  port: 'state',
} as const
/** Whether the row runs, and how far our change of it has come. */
export const status = {
  servingStatus: {
    label: 'Serving status',
    kind: 'word',
    column: 'serving_status',
    schema: word,
    isSortable: true,
    port: 'servingStatus',
  },
  /** PENDING: a change is on its way. FAILED: the marketplace rejected it, and `syncError` says why. */
  syncState: {
    label: 'Sync state',
    kind: 'word',
    column: 'sync_state',
    schema: v.picklist(['SYNCED', 'PENDING', 'FAILED']),
    isSortable: true,
  },
  syncError: { label: 'Rejection', kind: 'word', column: 'sync_error', schema: word },
  version: { label: 'Version', kind: 'id', column: 'version', schema: v.number() },
} as const satisfies Fields
export const campaignName = { label: 'Campaign', kind: 'text', column: 'name', of: 'campaign', schema: text } as const
