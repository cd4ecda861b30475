import * as v from 'valibot'
import { adLimits, bidProblem } from '#shared/ad-limits.ts'
import { keywordText } from '#shared/keyword-rules.ts'
import { type MarketplaceFacts, marketplaceById } from '#shared/marketplaces.ts'
import { toMicros } from '#shared/money.ts'
import { currentProfile } from '#features/accounts/server/public.ts'
import { type CreatedRow, createRows, newGroup, type NewRow } from '#features/structure/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx } from '#server/context.ts'
import type { Harvested, HarvestItem } from '../harvest-contract.ts'
import { isAsin } from '../rules.ts'
import { type HarvestPlace, readPlaces } from './harvest-places.ts'

type Planned = { row: NewRow; problem: null } | { row: null; problem: string }
type Outcome = Harvested['outcomes'][number]

/**
 * Makes keywords (or product targets) of search terms, and a negative exact of each in its source where that is wanted. A
 * negative waits until the marketplace has accepted its keyword. Each item has an outcome of its own. Throws
 * NOT_FOUND when the account lacks one of the ad groups.
 */
export async function harvestTerms(ctx: Ctx, items: readonly HarvestItem[]): Promise<Harvested> {
  const profile = await currentProfile(ctx)
  const market = marketplaceById(profile.marketplaceId)
  if (!market) throw new Error(`an account in an unknown marketplace: ${profile.marketplaceId}`)
  const { accountId } = ctx.actor
  const act = { origin: 'USER', accountId, groupId: newGroup(), at: ctx.clock.now() } as const
  return ctx.db.tenant(profile.merchantId, async tx => {
    const ids = items.flatMap(item => [item.adGroupId, item.sourceAdGroupId])
    const places = await readPlaces(tx, profile, ids)
    const placeOf = (id: number) => places.get(id) as HarvestPlace
    const planned = items.map(item => plan(item, placeOf(item.adGroupId), market))
    const rows = planned.flatMap(({ row }) => (row ? [row] : []))
    const targets = await createRows(ctx, tx, profile, 'target', rows, act)
    const outcomes = items.map((item, i): { outcome: Outcome; negative: NewRow | null } => {
      const { row, problem } = planned[i] as Planned
      const target = row && targets[rows.indexOf(row)]
      if (!target)
        return { outcome: { status: 'INVALID', id: null, negativeId: null, message: problem }, negative: null }
      const { negative, message } = planNegative(item, row, target, placeOf(item.sourceAdGroupId))
      const exists = target.status === 'EXISTS' ? 'It is there already.' : null
      const messages = [exists, message].filter(one => one !== null)
      return {
        outcome: { status: target.status, id: target.id, negativeId: null, message: messages.join(' ') || null },
        negative,
      }
    })
    const negatives = outcomes.flatMap(({ negative }) => (negative ? [negative] : []))
    const created = await createRows(ctx, tx, profile, 'negative', negatives, act)
    for (const { outcome, negative } of outcomes)
      if (negative) outcome.negativeId = created[negatives.indexOf(negative)]?.id ?? null
    const { groupId } = act
    const audit = { merchantId: profile.merchantId, accountId, requestId: ctx.requestId, entity: 'search_term' }
    await recordAudit(tx, { ...audit, action: 'search_term.harvest', entityId: groupId, after: { items } })
    const answer = { groupId, outcomes: outcomes.map(({ outcome }) => outcome) }
    await ctx.saveAnswer(tx, answer)
    return answer
  })
}

function plan({ term, matchType, bid }: HarvestItem, place: HarvestPlace, market: MarketplaceFacts): Planned {
  const kind = isAsin(term) ? 'PRODUCT' : 'KEYWORD'
  const text = v.safeParse(keywordText, term, { abortPipeEarly: true })
  if (!text.success) return { row: null, problem: text.issues[0].message }
  const problem = placeProblem(place, kind) ?? bidProblemIn(bid, place, market)
  if (problem !== null) return { row: null, problem }
  const { campaignId, adGroupId } = place
  const bidMicros = bid === null ? null : toMicros(bid)
  const clause =
    kind === 'PRODUCT' ? productOf(term) : { text: text.output.replace(/\s+/g, ' '), matchType, expression: null }
  return { row: { campaignId, adGroupId, kind, bidMicros, ...clause }, problem: null }
}

function bidProblemIn(
  bid: number | null,
  { adType, costType, budgetMicros }: HarvestPlace,
  market: MarketplaceFacts,
): string | null {
  // Only ad groups of Sponsored Products have a default bid.
  if (bid === null && adType === 'SPONSORED_PRODUCTS') return null
  // A bid for a thousand views may be higher than a day's budget.
  return bidProblem(bid, adLimits(market, { adType, costType }), {
    budgetMicros: costType === 'VCPM' ? null : budgetMicros,
  })
}

const productOf = (term: string) => {
  const value = term.toUpperCase()
  return { text: `ASIN_SAME_AS: ${value}`, matchType: null, expression: [{ type: 'ASIN_SAME_AS', value }] }
}

/** The negative that keeps a harvested term away from its source, or why there is none. */
function planNegative(
  { negateInSource }: HarvestItem,
  { kind, text, expression, adGroupId: adGroupOfKeyword }: NewRow,
  target: CreatedRow,
  source: HarvestPlace,
): { negative: NewRow | null; message: string | null } {
  const none = (message: string | null) => ({ negative: null, message })
  if (!negateInSource) return none(null)
  if (source.adGroupId === adGroupOfKeyword)
    return none('Its keyword runs in the source itself, so it was not negated.')
  if (source.isArchived) return none('The source is archived, so nothing had to be negated there.')
  if (source.adType === 'SPONSORED_DISPLAY')
    return none('Sponsored Display has no negative keywords, so it was not negated.')
  if (target.state !== 'ENABLED') return none('Its keyword is paused, so it was not negated.')
  const { campaignId, adGroupId } = source
  const matchType = kind === 'KEYWORD' ? 'NEGATIVE_EXACT' : null
  return { negative: { campaignId, adGroupId, kind, text, matchType, expression, after: target.id }, message: null }
}

/** Why an ad group cannot take a keyword or product; null when it can. */
function placeProblem(place: HarvestPlace, kind: 'KEYWORD' | 'PRODUCT'): string | null {
  if (place.isArchived) return 'The ad group is archived. Choose another one.'
  if (place.adType === 'SPONSORED_DISPLAY') return 'Sponsored Display has no keywords. Choose another ad group.'
  if (place.targetingType === 'AUTO')
    return 'A campaign with automatic targeting takes no keywords. Choose a manual one.'
  if (kind === 'KEYWORD' && place.kinds.includes('PRODUCT'))
    return 'This ad group targets products. Choose one with keywords.'
  if (kind === 'PRODUCT' && place.kinds.includes('KEYWORD'))
    return 'This ad group has keywords. Choose one that targets products.'
  return null
}
