import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { changeEntries, type ChangeOf, rowEntries, type RowOf } from '#shared/fields.ts'
import { id, moment, queryId, queryNumber } from '#shared/query-schemas.ts'
import { adFields, negativeFields, targetFields } from './ad-fields.ts'
import type { entityState } from './common-fields.ts'
import { adGroupFields, campaignFields, type EditableEntity, type entities } from './entities.ts'

export { adFields, negativeFields, targetFields } from './ad-fields.ts'
export { entityState } from './common-fields.ts'
export {
  adGroupFields,
  campaignFields,
  type EditableEntity,
  entities,
  type EntityName,
  placementPercent,
} from './entities.ts'

export {
  bulkEndpoints,
  type BulkItem,
  type BulkOutcome,
  changeGroup,
  MAX_BULK,
  type Portfolio,
} from './bulk-contract.ts'
export {
  changeEndpoints,
  type ChangeGroup,
  type EntityChange,
  entityChange,
  type GroupItem,
  type UndoOutcome,
} from './changes-contract.ts'

const currency = v.string()
export const campaign = v.object({ ...rowEntries(campaignFields), currency })
export type Campaign = v.InferOutput<typeof campaign>
export const adGroup = v.object({ ...rowEntries(adGroupFields), currency })
export type AdGroup = v.InferOutput<typeof adGroup>
export const ad = v.object({ ...rowEntries(adFields), currency })
export type Ad = v.InferOutput<typeof ad>
export const target = v.object({ ...rowEntries(targetFields), currency })
export type Target = v.InferOutput<typeof target>
export const negative = v.object(rowEntries(negativeFields))
export type Negative = v.InferOutput<typeof negative>
export type EntityState = v.InferOutput<typeof entityState>

/** What may be changed of each kind of row; fields that are left out stay. */
export type Changes = { [E in EditableEntity]: ChangeOf<(typeof entities)[E]['fields']> }
/** A row of each kind as its table describes it. */
export type Rows = { [E in keyof typeof entities]: RowOf<(typeof entities)[E]['fields']> }
/** A row of a kind that the code does not know, with what all of them have. */
export type Row<E extends keyof Rows> = Rows[E] & { id: number; state: EntityState; version: number }
export type NewState = NonNullable<Changes['campaign']['state']>

export const campaignChange = v.strictObject({ campaignId: id, ...changeEntries(campaignFields) })
export const adGroupChange = v.strictObject(changeEntries(adGroupFields))

const errors = ['RULE_VIOLATED'] as const
const editErrors = ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED', 'VALIDATION_FAILED', 'VERSION_CONFLICT'] as const
const changesOne = {
  method: 'PUT',
  access: 'subscription',
  params: v.strictObject({ id: queryId }),
  idempotencyKey: 'optional',
  errors: editErrors,
} as const
const targetQuery = v.strictObject({ ...changeEntries(targetFields), bid: v.optional(queryNumber) })
const changesTarget = { ...changesOne, query: targetQuery, response: target } as const

export const structureEndpoints = {
  pick: defineEndpoint({
    method: 'GET',
    path: '/campaigns',
    access: 'subscription',
    summary: 'Every campaign of the current marketplace in short, by name, for pickers',
    response: v.array(v.pick(campaign, ['id', 'amazonId', 'name', 'state', 'targetingType', 'adType'])),
    errors,
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/campaigns/:id',
    access: 'subscription',
    summary: 'One campaign whole, by our id or by the marketplace’s',
    params: v.strictObject({ id: v.pipe(v.string(), v.regex(/^\d{1,20}$/, 'Must be an id')) }),
    response: campaign,
    errors: [...errors, 'NOT_FOUND'],
  }),
  synchronize: defineEndpoint({
    method: 'POST',
    path: '/campaigns/synchronize',
    access: 'subscription',
    summary: 'Asks for what was changed at the marketplace itself; an event follows when something was',
    /** Up to when the changes are here; whether newer ones are being read. */
    response: v.object({ synchronizedAt: v.nullable(moment), isQueued: v.boolean() }),
    errors,
  }),
  updateCampaign: defineEndpoint({
    method: 'POST',
    path: '/campaign/update',
    access: 'subscription',
    summary: 'Changes a campaign (If-Match: its version) and sends the change to the marketplace',
    body: campaignChange,
    idempotencyKey: 'optional',
    response: campaign,
    errors: editErrors,
  }),
  updateAdGroup: defineEndpoint({
    ...changesOne,
    path: '/adgroups/:id',
    summary: 'Changes the name, default bid or state of an ad group (If-Match: its version)',
    body: adGroupChange,
    response: adGroup,
  }),
  updateAd: defineEndpoint({
    ...changesOne,
    path: '/ads/:id',
    summary: 'Pauses or enables the ad of a product (If-Match: its version)',
    query: v.strictObject({ state: adFields.state.edit }),
    response: ad,
  }),
  updateKeyword: defineEndpoint({
    ...changesTarget,
    path: '/keywords/:id',
    summary: 'Changes the bid or state of a keyword (If-Match: its version)',
  }),
  updateTarget: defineEndpoint({
    ...changesTarget,
    path: '/targets/:id',
    summary: 'Changes the bid or state of a target (If-Match: its version)',
  }),
}
