import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { newIdempotencyKey } from '#client/api/build-request.ts'
import type { NegativeMatchType } from '#shared/keyword-rules.ts'
import { type Shop, shopText } from '#features/accounts/client/public.ts'
import {
  MAX_NEGATIVES,
  negativeEndpoints as endpoints,
  type NegativesCreated,
  type NegativesPreview,
  negativeTargetTypes,
} from '#features/negatives/contract.ts'
import type { Negative, Target } from '#features/structure/contract.ts'
import { matchWords } from '../form/field-labels.ts'

/** A negative that is about to be added. */
export interface NegativeDraft {
  adType: string
  campaignId: number
  /** Null: on the whole campaign. */
  adGroupId: number | null
  /** A keyword, or what `targetType` says of a product: its ASIN, or a brand. */
  text: string
  matchType: NegativeMatchType
  /** Absent for a keyword. */
  targetType?: (typeof negativeTargetTypes)[number]
}

/** What a negative can exclude of what a row aims at: one product or brand. Null for anything else, also with conditions. */
export function excludableOf(
  expression: Target['expression'],
): Required<Pick<NegativeDraft, 'text' | 'targetType'>> | null {
  const [only, ...others] = expression ?? []
  const targetType = negativeTargetTypes.find(type => type === only?.type)
  return targetType && others.length === 0 && typeof only?.value === 'string' ? { targetType, text: only.value } : null
}

/** What a negative is, whichever list it is in. */
type AnyNegative = Pick<Negative, 'campaignId' | 'adGroupId' | 'kind' | 'text' | 'matchType' | 'expression'> & {
  adType: string
}

/** What would add it again; null for what is not added from here. */
export function draftOf({
  adType,
  campaignId,
  adGroupId,
  text,
  matchType,
  kind,
  expression,
}: AnyNegative): NegativeDraft | null {
  const type = matchType === 'NEGATIVE_PHRASE' ? matchType : 'NEGATIVE_EXACT'
  const place = { adType, campaignId, adGroupId, matchType: type } as const
  if (adType === 'SPONSORED_DISPLAY') return null
  if (kind === 'KEYWORD') return matchType === type ? { ...place, text } : null
  const excludable = excludableOf(expression)
  return excludable && { ...place, ...excludable }
}

/** Which kind of negative it is, in words. */
export const negativeKind = ({
  kind,
  expression,
  matchType,
}: Pick<AnyNegative, 'kind' | 'expression' | 'matchType'>): string =>
  kind === 'KEYWORD'
    ? matchWords(matchType)
    : expression?.[0]?.type === 'ASIN_BRAND_SAME_AS'
      ? 'Negative brand'
      : 'Negative product'

export type PreviewedNegative = NegativesPreview['items'][number]
export type NegativeOutcome = NegativesCreated['outcomes'][number]

interface Batch {
  drafts: readonly NegativeDraft[]
  /** Where each of them stands among all. */
  places: readonly number[]
}

/** One call's worth each: what goes to one place and is of one kind. */
function batchesOf(drafts: readonly NegativeDraft[]): Batch[] {
  const places = drafts.map((_, place) => place)
  const groups = Map.groupBy(places, place => {
    const { adType, campaignId, adGroupId, targetType } = drafts[place] as NegativeDraft
    return [adType, campaignId, adGroupId, Boolean(targetType)].join()
  })
  return [...groups.values()].flatMap(all =>
    Array.from({ length: Math.ceil(all.length / MAX_NEGATIVES) }, (_, chunk) => {
      const some = all.slice(chunk * MAX_NEGATIVES, (chunk + 1) * MAX_NEGATIVES)
      return { places: some, drafts: some.map(place => drafts[place] as NegativeDraft) }
    }),
  )
}

function bodyOf({ drafts: [first, ...rest] }: Batch) {
  if (!first) throw new TypeError('an empty batch')
  const { campaignId, adGroupId } = first
  const all = [first, ...rest]
  const place = { campaignId, ...(adGroupId !== null && { adGroupId }) }
  return first.targetType
    ? {
        ...place,
        targets: all.map(({ text, targetType = 'ASIN_SAME_AS' }) => ({ expressionType: targetType, value: text })),
      }
    : { ...place, keywords: all.map(({ text, matchType }) => ({ text, matchType })) }
}

/** What negatives would do, in their order: asked of the server, nothing is sent to the marketplace. */
export const negativesPreview = (shop: Shop, drafts: readonly NegativeDraft[]) =>
  queryOptions({
    // Apart from the lists, which are asked for again when the negatives are there: then each would exist already.
    queryKey: ['negatives-preview', shop, drafts],
    queryFn: async ({ signal }): Promise<{ items: PreviewedNegative[]; currency: string }> => {
      const items: PreviewedNegative[] = []
      let currency = 'USD'
      for (const batch of batchesOf(drafts)) {
        const adType = batch.drafts[0]?.adType === 'SPONSORED_BRANDS' ? 'SPONSORED_BRANDS' : 'SPONSORED_PRODUCTS'
        const answer = await call(endpoints.preview, { body: { ...bodyOf(batch), adType } }, { signal })
        answer.items.forEach((item, index) => (items[batch.places[index] ?? -1] = item))
        currency = answer.currency
      }
      return { items, currency }
    },
    // What is there and what runs may change meanwhile.
    staleTime: 0,
    gcTime: 0,
    meta: { silent: true },
  })

/**
 * Adds negatives; answers what became of each, in their order. Called again with the same drafts after a failure, it does
 * nothing twice: `keys` holds the idempotency key of each call.
 */
export async function createNegatives(
  shop: Shop,
  drafts: readonly NegativeDraft[],
  keys: Map<string, string>,
): Promise<NegativeOutcome[]> {
  const outcomes: NegativeOutcome[] = []
  for (const batch of batchesOf(drafts)) {
    const isBrand = batch.drafts[0]?.adType === 'SPONSORED_BRANDS'
    const body = bodyOf(batch)
    const intent = JSON.stringify([isBrand, body])
    const idempotencyKey = keys.get(intent) ?? newIdempotencyKey()
    keys.set(intent, idempotencyKey)
    const options = { idempotencyKey, shop: shopText(shop) }
    const answer =
      'targets' in body
        ? await call(isBrand ? endpoints.createBrandTargets : endpoints.createProductTargets, { body }, options)
        : await call(isBrand ? endpoints.createBrandKeywords : endpoints.createProductKeywords, { body }, options)
    answer.outcomes.forEach((outcome, index) => (outcomes[batch.places[index] ?? -1] = outcome))
  }
  return outcomes
}

const atOnce = 10

/** Removes negatives, a few at a time. */
export async function removeNegatives(ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += atOnce)
    await Promise.all(ids.slice(from, from + atOnce).map(id => call(endpoints.remove, { params: { id } })))
}
