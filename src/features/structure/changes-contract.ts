import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import {
  day,
  dayRange,
  dayRangeMessage,
  id,
  isDayRange,
  moment,
  pageOf,
  paging,
  queryBoolean,
  queryId,
  queryInt,
} from '#shared/query-schemas.ts'
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
  /** Whether all of them were undone. */
  isGroupUndone: v.boolean(),
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

/** How far the marketplace has come with a change. */
const changeProgress = v.picklist(['PENDING', 'ACCEPTED', 'REJECTED'])

/** One changed field of a group as it is now: how far the marketplace has come with it. */
export const groupItem = v.object({
  changeId: id,
  entity,
  entityId: id,
  /** The version to change the row on top of. */
  version: v.number(),
  name: v.string(),
  field: v.nullable(v.string()),
  before: v.unknown(),
  after: v.unknown(),
  status: changeProgress,
  /** Why the marketplace rejected it. */
  message: v.nullable(v.string()),
  isUndone: v.boolean(),
})
export type GroupItem = v.InferOutput<typeof groupItem>

const changeGroupProgress = v.object({
  groupId: v.string(),
  at: moment,
  origin,
  by: v.nullable(v.string()),
  total: v.number(),
  pending: v.number(),
  accepted: v.number(),
  rejected: v.number(),
  undone: v.number(),
  currency: v.string(),
  /** A page of them: rejected ones first, then pending ones. */
  items: v.array(groupItem),
})
export type ChangeGroup = v.InferOutput<typeof changeGroupProgress>

/** What became of the undo of one change. */
const undoOutcome = v.object({
  changeId: id,
  /** NEWER: left as it is, because something newer stands in its way. */
  status: v.picklist(['UNDONE', 'SAME', 'NEWER', 'INVALID', 'NOT_FOUND']),
  message: v.nullable(v.string()),
})
export type UndoOutcome = v.InferOutput<typeof undoOutcome>

/** `force`: also where something newer is lost. `skipNewer`: everything else. Without either, a newer change is a 409. */
const undoBody = v.strictObject({ force: v.optional(v.boolean(), false), skipNewer: v.optional(v.boolean(), false) })

const undoes = {
  method: 'POST',
  access: 'subscription',
  body: undoBody,
  response: v.object({ groupId: v.string(), outcomes: v.array(undoOutcome) }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'RULE_VIOLATED', 'CONFLICT'],
} as const
const groupParams = v.strictObject({ groupId: v.pipe(v.string(), v.uuid('Must be a group')) })

export const changeEndpoints = {
  group: defineEndpoint({
    method: 'GET',
    path: '/changes/groups/:groupId',
    access: 'subscription',
    summary: 'How far the marketplace has come with the changes of one act',
    params: groupParams,
    query: v.strictObject({
      page: paging.page,
      size: v.optional(
        v.pipe(queryInt, v.minValue(1, 'Must be at least 1'), v.maxValue(1000, 'Must be at most 1,000')),
        100,
      ),
    }),
    response: changeGroupProgress,
    errors: ['NOT_FOUND', 'RULE_VIOLATED'],
  }),
  retryGroup: defineEndpoint({
    method: 'POST',
    path: '/changes/groups/:groupId/retry',
    access: 'subscription',
    summary: 'Sends everything of one act again that the marketplace rejected, however much it is',
    params: groupParams,
    /** `groupId`: the same act, or a new one where somebody else made it. `failed`: what cannot be sent, with a reason. */
    response: v.object({
      groupId: v.string(),
      retried: v.number(),
      failed: v.number(),
      message: v.nullable(v.string()),
    }),
    errors: ['FORBIDDEN', 'NOT_FOUND', 'RULE_VIOLATED'],
  }),
  undoGroup: defineEndpoint({
    ...undoes,
    path: '/changes/groups/:groupId/undo',
    summary: 'Undoes all changes of one act; a 409 lists the newer changes that stand in its way',
    params: groupParams,
  }),
  undo: defineEndpoint({
    ...undoes,
    path: '/changes/:id/undo',
    summary: 'Undoes one change; a 409 lists the newer changes that stand in its way',
    params: v.strictObject({ id: queryId }),
  }),
  days: defineEndpoint({
    method: 'GET',
    path: '/changes/days',
    access: 'subscription',
    summary:
      'How much was changed on each day of the range, in the account’s calendar; days without a change are missing',
    query: v.pipe(
      v.strictObject({ ...dayRange, campaignId: v.optional(queryId) }),
      v.check(q => isDayRange(q), dayRangeMessage),
    ),
    /** `count`: what was changed at once counts once. */
    response: v.array(v.object({ date: day, count: v.number() })),
    errors: ['RULE_VIOLATED'],
  }),
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
        /** True: of each group only its latest change, which stands for all. */
        collapsed: v.optional(queryBoolean),
        ...dayRange,
      }),
      v.check(q => isDayRange(q), dayRangeMessage),
    ),
    response: v.object({ ...pageOf(entityChange).entries, currency: v.string() }),
    errors: ['RULE_VIOLATED'],
  }),
}
