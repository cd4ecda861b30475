import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { dayRange, dayRangeMessage, id, isDayRange, moment, pageOf, paging, queryId } from '#shared/query-schemas.ts'
import { entities, type EntityName } from './entities.ts'

const entity = v.picklist(Object.keys(entities) as EntityName[], 'Must be a kind of entity')
/** USER: a person, here. MARKETPLACE: the marketplace or its console. LAUNCH: the wizard. RULE: an automatic rule. */
const origin = v.picklist(['USER', 'MARKETPLACE', 'LAUNCH', 'RULE'], 'Must be USER, MARKETPLACE, LAUNCH or RULE')

/** One field of one entity, before and after; the values as the entity's own answers carry them. */
export const entityChange = v.object({
  id,
  at: moment,
  groupId: v.string(),
  /** How many changes the same act made. */
  groupSize: v.number(),
  entity,
  entityId: id,
  /** What the entity is called now. */
  name: v.string(),
  campaignId: id,
  campaignName: v.string(),
  /** Null when the entity was created. */
  field: v.nullable(v.string()),
  before: v.unknown(),
  after: v.unknown(),
  origin,
  /** The person's name; null for others, and for a person who left. */
  by: v.nullable(v.string()),
  note: v.nullable(v.string()),
  /** The change that this one undoes, and the one that undid this one. */
  undoes: v.nullable(id),
  undoneBy: v.nullable(id),
})
export type EntityChange = v.InferOutput<typeof entityChange>

export const changeEndpoints = {
  list: defineEndpoint({
    method: 'GET',
    path: '/changes',
    access: 'subscription',
    summary: 'Every change of the current account’s entities, the latest first: by whom, before and after',
    query: v.pipe(
      v.strictObject({
        ...paging,
        entity: v.optional(entity),
        entityId: v.optional(queryId),
        campaignId: v.optional(queryId),
        groupId: v.optional(v.pipe(v.string(), v.uuid('Must be a group'))),
        origin: v.optional(origin),
        ...dayRange,
      }),
      v.check(q => isDayRange(q), dayRangeMessage),
    ),
    response: v.object({ ...pageOf(entityChange).entries, currency: v.string() }),
    errors: ['RULE_VIOLATED'],
  }),
}
