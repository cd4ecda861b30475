import { negativeMatchTypes } from '#shared/keyword-rules.ts'
import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { pageOf, paging, queryBoolean, queryId } from '#shared/query-schemas.ts'
import { createPayload, launchFieldNames, MAX_PRODUCTS, storedPayload } from './launch-schema.ts'
import { launchPreview, margins } from './review/preview-schema.ts'
import { groupMatchKeys, phaseKeys, templates } from './templates.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())

/** The steps of every launch in their order; one with nothing to do is SKIPPED. */
export const stepNames = [
  'RECOMMENDATIONS',
  'CAMPAIGNS',
  'AD_GROUPS',
  'PRODUCT_ADS',
  'KEYWORDS',
  'AUTO_TARGETS',
  'PRODUCT_TARGETS',
  'NEGATIVE_KEYWORDS',
  'ENABLE',
  'SAVE',
] as const
export type StepName = (typeof stepNames)[number]

/** An undo is not a step of a launch, but makes calls. */
const callStep = v.picklist([...stepNames, 'UNDO'])
export type CallStep = v.InferOutput<typeof callStep>

/** UNREACHED: it did not happen. UNKNOWN: it may have happened; the launch looks before it sends again. */
const callOutcome = v.picklist(['ANSWERED', 'REFUSED', 'UNREACHED', 'UNKNOWN'])
export type CallOutcome = v.InferOutput<typeof callOutcome>

const callRow = v.object({
  no: v.number(),
  step: v.nullable(callStep),
  at: instant,
  tookMs: v.number(),
  /** For instance `create keywords`. */
  operation: v.string(),
  method: v.string(),
  path: v.string(),
  outcome: callOutcome,
  status: v.nullable(v.number()),
  /** The marketplace's support asks for it. */
  requestId: v.nullable(v.string()),
  /** What went wrong, when something did. */
  message: v.nullable(v.string()),
  /** JSON without secrets; long lists are cut, with a note. */
  sent: v.nullable(v.string()),
  received: v.nullable(v.string()),
})
export type LaunchCall = v.InferOutput<typeof callRow>

const stepStatus = v.picklist(['PENDING', 'IN_PROGRESS', 'COMPLETED', 'PARTIAL', 'FAILED', 'SKIPPED'])
export type StepStatus = v.InferOutput<typeof stepStatus>
export const createdEntities = [
  'CAMPAIGN',
  'AD_GROUP',
  'PRODUCT_AD',
  'KEYWORD',
  'PRODUCT_TARGET',
  'NEGATIVE_KEYWORD',
] as const

/** What an item is; launches of older versions lack the phase, and a step that stopped as a whole has none of it. */
const itemFacts = {
  kind: v.optional(v.picklist([...createdEntities, 'AUTO_TARGET', 'ENABLE'] as const)),
  phase: v.optional(v.picklist(phaseKeys)),
  matchType: v.optional(v.picklist([...groupMatchKeys, ...negativeMatchTypes] as const)),
}

const step = v.object({
  name: v.picklist(stepNames),
  status: stepStatus,
  startedAt: v.nullable(instant),
  finishedAt: v.nullable(instant),
  done: v.number(),
  total: v.number(),
  /** `item` is a label, `reason` the marketplace's code, `message` what it means to a seller. */
  errors: v.array(
    v.object({
      item: v.string(),
      reason: v.string(),
      message: v.string(),
      ...itemFacts,
      /** The field of the payload that needs a change; absent where a change of the payload does not help. */
      field: v.optional(v.picklist(launchFieldNames)),
    }),
  ),
})
const launchLogRow = v.object({
  id: v.number(),
  campaignName: v.string(),
  template: v.picklist(templates),
  /** PARTIAL: something was made and something was not; FAILED: nothing was made. Both can be retried. */
  status: v.picklist(['PENDING', 'IN_PROGRESS', 'COMPLETED', 'PARTIAL', 'FAILED']),
  /** Set once an undo was requested: PENDING, then DONE, or PARTIAL when something could not be archived. */
  undo: v.nullable(v.picklist(['PENDING', 'DONE', 'PARTIAL'])),
  /** True when there is something that can be tried again. */
  canRetry: v.boolean(),
  /** The launch rests until then because the marketplace could not be reached; null while it does not. */
  waitingUntil: v.nullable(instant),
  createdAt: instant,
  finishedAt: v.nullable(instant),
  steps: v.array(step),
  createdCount: v.number(),
})
export type LaunchLogRow = v.InferOutput<typeof launchLogRow>
const launchInput = v.object({
  marketplaceId: v.number(),
  /** Null where it was written in a way that is not understood any more. */
  payload: v.nullable(storedPayload),
})
export type LaunchInput = v.InferOutput<typeof launchInput>
const launchSchema = v.object({
  ...launchLogRow.entries,
  /** What exists on the marketplace by this launch, the first 500; `id` is the marketplace's. */
  created: v.array(v.object({ entity: v.picklist(createdEntities), id: v.string(), name: v.string(), ...itemFacts })),
  warnings: v.array(v.string()),
  /** Its payload, on request: it may be thousands of keywords. */
  input: v.optional(launchInput),
})
export type Launch = v.InferOutput<typeof launchSchema>

/** A launch or a draft names thousands of keywords. */
export const MAX_PAYLOAD_BYTES = 2 * 1024 * 1024

const byId = v.strictObject({ id: queryId })
const ofPayload = {
  method: 'POST',
  access: 'subscription',
  body: createPayload,
  maxBodyBytes: MAX_PAYLOAD_BYTES,
  ofShop: true,
} as const
const rejections = ['FORBIDDEN', 'RULE_VIOLATED', 'PRODUCT_NOT_ELIGIBLE', 'CONFLICT'] as const

export const launchEndpoints = {
  create: defineEndpoint({
    ...ofPayload,
    path: '/campaign/create',
    summary: 'Launches campaigns; the work continues after the response',
    response: v.object({ launchId: v.number() }),
    status: 202,
    errors: [...rejections, 'IDEMPOTENCY_KEY_REUSED'],
    idempotencyKey: true,
  }),
  preview: defineEndpoint({
    ...ofPayload,
    path: '/campaign/preview',
    summary: 'What a launch would make, and what it may cost; nothing is made',
    response: launchPreview,
    errors: [...rejections, 'UPSTREAM_FAILED', 'UPSTREAM_UNAUTHORIZED', 'UPSTREAM_UNAVAILABLE'],
  }),
  margins: defineEndpoint({
    method: 'POST',
    path: '/campaign/margins',
    access: 'subscription',
    summary: 'The break-even ACOS of products, where COGS is known',
    body: v.strictObject({
      skus: v.pipe(v.array(v.pipe(v.string(), v.maxLength(40))), v.minLength(1), v.maxLength(MAX_PRODUCTS)),
    }),
    response: margins,
    errors: ['RULE_VIOLATED'],
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/campaign/launches/:id',
    access: 'subscription',
    summary: 'A launch, its steps, and what it created; on request with its payload',
    params: byId,
    query: v.strictObject({ withInput: v.optional(queryBoolean, false) }),
    response: launchSchema,
    errors: ['NOT_FOUND'],
  }),
  retry: defineEndpoint({
    method: 'POST',
    path: '/campaign/launches/:id/retry',
    access: 'subscription',
    summary: 'Retries what failed and nothing else',
    params: byId,
    response: launchSchema,
    status: 202,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED'],
  }),
  undo: defineEndpoint({
    method: 'POST',
    path: '/campaign/launches/:id/undo',
    access: 'subscription',
    summary: 'Stops the launch if it still runs, and archives everything that it created, for good',
    params: byId,
    /** `anyway` archives also what was added to the campaigns since; without it that is a CONFLICT, with one detail a kind. */
    query: v.strictObject({ anyway: v.optional(queryBoolean, false) }),
    response: launchSchema,
    status: 202,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED', 'CONFLICT'],
  }),
  calls: defineEndpoint({
    method: 'GET',
    path: '/campaign/launches/:id/calls',
    access: 'subscription',
    summary: 'Every call that a launch made to the marketplace, in their order: what was sent, what came back',
    params: byId,
    query: v.strictObject(paging),
    response: pageOf(callRow),
    errors: ['NOT_FOUND'],
  }),
  log: defineEndpoint({
    method: 'GET',
    path: '/create-campaign-log',
    access: 'subscription',
    summary: 'Launches of the current advertising account, newest first, with their steps',
    query: v.strictObject(paging),
    response: pageOf(launchLogRow),
    errors: ['RULE_VIOLATED'],
  }),
}
