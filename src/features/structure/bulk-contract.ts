import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { id } from '#shared/query-schemas.ts'
import { type EditableEntity, entities, type EntityName } from './entities.ts'

/** The most rows that one call changes. */
export const MAX_BULK = 1000

const isEditable = (name: EntityName): name is EditableEntity => entities[name].isEditable
const editable = v.picklist(
  (Object.keys(entities) as EntityName[]).filter(isEditable),
  'Must be a campaign, adGroup, ad or target',
)

/** One row of many. What is set is checked for each item alone, so that one bad value harms no other item. */
const bulkItem = v.strictObject({
  entity: editable,
  id,
  /** The version that the change is made on top of. */
  version: v.pipe(v.number('Must be a version'), v.integer('Must be a version')),
  set: v.record(v.string(), v.unknown()),
})
export type BulkItem = v.InferOutput<typeof bulkItem>

/** CHANGED rows are on their way to the marketplace; SAME ones had the values already. */
const bulkStatus = v.picklist(['CHANGED', 'SAME', 'CONFLICT', 'INVALID', 'NOT_FOUND'])

/** What became of one item. */
export const bulkOutcome = v.object({
  status: bulkStatus,
  /** Why the row was not changed, in a sentence; null when it was. */
  message: v.nullable(v.string()),
  /** The version of the row as it is now; null where there is no such row. */
  version: v.nullable(v.number()),
  /** Of a conflict: the row as it is now. */
  row: v.optional(v.record(v.string(), v.unknown())),
})
export type BulkOutcome = v.InferOutput<typeof bulkOutcome>

/** The group of several calls that belong to one act: a random id that the caller chooses. */
export const changeGroup = v.pipe(v.string('Must be a group'), v.uuid('Must be a group'))

const portfolio = v.object({
  id: v.string(),
  name: v.string(),
  state: v.string(),
})
export type Portfolio = v.InferOutput<typeof portfolio>

export const bulkEndpoints = {
  bulk: defineEndpoint({
    method: 'POST',
    path: '/bulk',
    access: 'subscription',
    summary: 'Changes many rows at once; each item has an outcome of its own, in order',
    query: v.strictObject({ groupId: v.optional(changeGroup) }),
    body: v.pipe(
      v.array(bulkItem, 'Must be a list of changes'),
      v.minLength(1, 'Choose at least one row'),
      v.maxLength(MAX_BULK, 'At most 1,000 rows at a time'),
    ),
    maxBodyBytes: 1024 * 1024,
    response: v.object({ groupId: v.string(), outcomes: v.array(bulkOutcome) }),
    idempotencyKey: true,
    errors: ['FORBIDDEN', 'RULE_VIOLATED', 'VALIDATION_FAILED'],
  }),
  portfolios: defineEndpoint({
    method: 'GET',
    path: '/portfolios',
    access: 'subscription',
    summary: 'The portfolios of the current advertising account by name, as the marketplace has them now',
    response: v.array(portfolio),
    errors: ['RULE_VIOLATED', 'UPSTREAM_FAILED', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_UNAUTHORIZED'],
  }),
}
