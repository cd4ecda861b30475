import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { id } from '#shared/query-schemas.ts'
import { money } from '#shared/money.ts'

/** The most search terms that one harvest takes. */
export const MAX_HARVEST = 100
export const harvestMatchTypes = ['EXACT', 'PHRASE', 'BROAD'] as const

const term = v.pipe(v.string('Enter the search term'), v.trim(), v.nonEmpty('Enter the search term'), v.maxLength(1000))
const listOf = <S extends v.GenericSchema>(item: S) =>
  v.pipe(
    v.array(item),
    v.minLength(1, 'Choose at least one search term'),
    v.maxLength(MAX_HARVEST, 'At most 100 search terms at once'),
  )

const harvestItem = v.strictObject({
  /** Words, or the ASIN of a product: that becomes a product target. */
  term,
  /** Where the term came in. */
  sourceAdGroupId: id,
  /** Where its keyword shall run. */
  adGroupId: id,
  /** Without meaning for a product. */
  matchType: v.picklist(harvestMatchTypes, 'Must be EXACT, PHRASE or BROAD'),
  /** Null: the default bid of the ad group. */
  bid: v.nullable(v.pipe(v.number('Enter a bid'), v.finite('Enter a bid'))),
  /** Also keeps the term away from its source, by a negative exact, once the marketplace has accepted the keyword. */
  negateInSource: v.boolean(),
})
export type HarvestItem = v.InferOutput<typeof harvestItem>

const suggestedBid = v.object({
  /** Null: the marketplace suggests none, so the ad group’s default bid is the one to take. */
  bid: v.nullable(money),
  lowBid: v.nullable(money),
  highBid: v.nullable(money),
  why: v.string(),
})
export type SuggestedBid = v.InferOutput<typeof suggestedBid>

const harvested = v.object({
  /** The group of these changes in the ledger. */
  groupId: v.string(),
  outcomes: v.array(
    v.object({
      status: v.picklist(['CREATED', 'EXISTS', 'INVALID']),
      /** The keyword or target. */
      id: v.nullable(id),
      /** The negative in the source; null where none was wanted or none can be. */
      negativeId: v.nullable(id),
      message: v.nullable(v.string()),
    }),
  ),
})
export type Harvested = v.InferOutput<typeof harvested>

export const harvestEndpoints = {
  bids: defineEndpoint({
    method: 'POST',
    path: '/search-terms/bids',
    access: 'subscription',
    summary: 'The bid that the marketplace suggests for each search term in an ad group, in their order',
    body: v.strictObject({ items: listOf(v.strictObject({ term, adGroupId: id })) }),
    response: v.array(suggestedBid),
    errors: ['NOT_FOUND', 'RULE_VIOLATED', 'UPSTREAM_FAILED', 'UPSTREAM_UNAUTHORIZED', 'UPSTREAM_UNAVAILABLE'],
  }),
  harvest: defineEndpoint({
    method: 'POST',
    path: '/search-terms/harvest',
    access: 'subscription',
    summary: 'Makes keywords of search terms, and negates them where they came in',
    idempotencyKey: true,
    maxBodyBytes: 256 * 1024,
    body: v.strictObject({ items: listOf(harvestItem) }),
    response: harvested,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED', 'VALIDATION_FAILED'],
  }),
}
