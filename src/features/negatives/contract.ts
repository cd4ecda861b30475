import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { negativeMatchTypes } from '#shared/keyword-rules.ts'
import { id, queryId } from '#shared/query-schemas.ts'
import { money } from '#shared/money.ts'
import { negative } from '#features/structure/contract.ts'

/** The most negatives that one call takes. */
export const MAX_NEGATIVES = 1000
/** How many blocked keywords the preview lists of one negative. */
export const MAX_BLOCKS = 20
/** What a negative target may be: one product, or every product of a brand. */
export const negativeTargetTypes = ['ASIN_SAME_AS', 'ASIN_BRAND_SAME_AS'] as const

// Each item is judged by itself, with its own sentence; one that cannot be right does not stop the others.
const text = v.pipe(v.string('Enter the keyword'), v.maxLength(1000, 'At most 1,000 characters'))
const newNegativeKeyword = v.strictObject({
  text,
  matchType: v.picklist(negativeMatchTypes, 'Must be NEGATIVE_EXACT or NEGATIVE_PHRASE'),
})
export type NewNegativeKeyword = v.InferOutput<typeof newNegativeKeyword>
const newNegativeTarget = v.strictObject({
  expressionType: v.picklist(negativeTargetTypes, 'Must be ASIN_SAME_AS or ASIN_BRAND_SAME_AS'),
  /** An ASIN, or the marketplace’s id of a brand. */
  value: text,
})
export type NewNegativeTarget = v.InferOutput<typeof newNegativeTarget>

const listOf = <S extends v.GenericSchema>(item: S) =>
  v.pipe(
    v.array(item),
    v.minLength(1, 'Add at least one'),
    v.maxLength(MAX_NEGATIVES, 'At most 1,000 negatives at once'),
  )
/** Without an ad group: on the whole campaign. Sponsored Brands has negatives on ad groups alone. */
const place = { campaignId: id, adGroupId: v.optional(v.nullable(id)) }
const keywordsBody = v.strictObject({ ...place, keywords: listOf(newNegativeKeyword) })
const targetsBody = v.strictObject({ ...place, targets: listOf(newNegativeTarget) })

/** What became of each item, in their order. EXISTS: it was there already. */
const created = v.object({
  /** The group of these changes in the ledger. */
  groupId: v.string(),
  outcomes: v.array(
    v.object({
      status: v.picklist(['CREATED', 'EXISTS', 'INVALID']),
      id: v.nullable(id),
      message: v.nullable(v.string()),
    }),
  ),
})
export type NegativesCreated = v.InferOutput<typeof created>

/** A running keyword or target that a negative would keep from being shown, with its figures of the last 30 days. */
const blockedTarget = v.object({
  targetId: id,
  text: v.string(),
  matchType: v.nullable(v.string()),
  adGroupId: id,
  adGroupName: v.string(),
  campaignName: v.string(),
  orders: v.number(),
  cost: money,
})
export type BlockedTarget = v.InferOutput<typeof blockedTarget>
const preview = v.object({
  items: v.array(
    v.object({
      status: v.picklist(['NEW', 'EXISTS', 'INVALID']),
      message: v.nullable(v.string()),
      /** At most `MAX_BLOCKS` of them, those with the most orders first; `blockedCount` counts all. */
      blocks: v.array(blockedTarget),
      blockedCount: v.number(),
    }),
  ),
  currency: v.string(),
})
export type NegativesPreview = v.InferOutput<typeof preview>

const adType = v.picklist(['SPONSORED_PRODUCTS', 'SPONSORED_BRANDS'], 'Must be SPONSORED_PRODUCTS or SPONSORED_BRANDS')

const creates = {
  method: 'POST',
  access: 'subscription',
  idempotencyKey: true,
  maxBodyBytes: 1024 * 1024,
  response: created,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED', 'VALIDATION_FAILED'],
} as const
const onOne = { access: 'subscription', params: v.strictObject({ id: queryId }) } as const

export const negativeEndpoints = {
  createProductKeywords: defineEndpoint({
    ...creates,
    path: '/sp/negative-keyword/create',
    summary: 'Adds negative keywords to a campaign or ad group of Sponsored Products',
    body: keywordsBody,
  }),
  createProductTargets: defineEndpoint({
    ...creates,
    path: '/sp/negative-target/create',
    summary: 'Adds negative products or brands to a campaign or ad group of Sponsored Products',
    body: targetsBody,
  }),
  createBrandKeywords: defineEndpoint({
    ...creates,
    path: '/sb/negative-keyword/create',
    summary: 'Adds negative keywords to an ad group of Sponsored Brands',
    body: keywordsBody,
  }),
  createBrandTargets: defineEndpoint({
    ...creates,
    path: '/sb/negative-target/create',
    summary: 'Adds negative products or brands to an ad group of Sponsored Brands',
    body: targetsBody,
  }),
  preview: defineEndpoint({
    method: 'POST',
    path: '/negatives/preview',
    access: 'subscription',
    summary:
      'What negatives would do: which exist already, which cannot be, and which running keywords they would block',
    maxBodyBytes: creates.maxBodyBytes,
    body: v.pipe(
      v.strictObject({
        ...place,
        adType,
        keywords: v.optional(keywordsBody.entries.keywords),
        targets: v.optional(targetsBody.entries.targets),
      }),
      v.check(({ keywords, targets }) => !keywords !== !targets, 'Name either keywords or targets'),
    ),
    response: preview,
    errors: ['NOT_FOUND', 'RULE_VIOLATED', 'VALIDATION_FAILED'],
  }),
  remove: defineEndpoint({
    ...onOne,
    method: 'DELETE',
    path: '/negatives/:id',
    summary: 'Removes a negative here and at the marketplace',
    response: v.null(),
    status: 204,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED'],
  }),
  retry: defineEndpoint({
    ...onOne,
    method: 'POST',
    path: '/negatives/:id/retry',
    summary: 'Sends a new negative again that the marketplace did not accept',
    response: negative,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED'],
  }),
}
