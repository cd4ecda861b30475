import type { Store } from '#sandbox/core/model/store.ts'
import { type Micros, fromMicros } from '#shared/money.ts'
import { amount } from './expected-tree.ts'

const money = (micros: Micros | null) => amount(fromMicros(micros ?? Number.NaN))

/** The marketplace's names for what a target aims at, in the table's words. */
const aims: Readonly<Record<string, string>> = {
  QUERY_HIGH_REL_MATCHES: 'CLOSE_MATCH',
  QUERY_BROAD_REL_MATCHES: 'LOOSE_MATCH',
  ASIN_SUBSTITUTE_RELATED: 'SUBSTITUTES',
  ASIN_ACCESSORY_RELATED: 'COMPLEMENTS',
  ASIN_CATEGORY_SAME_AS: 'CATEGORY',
  ASIN_SAME_AS: 'PRODUCT_EXACT',
  ASIN_EXPANDED_FROM: 'PRODUCT_SIMILAR',
}
const biddings: Readonly<Record<string, string>> = { LEGACY_FOR_SALES: 'DOWN', AUTO_FOR_SALES: 'UP_AND_DOWN' }

type BooksOfCampaigns = Pick<
  Store,
  'campaigns' | 'adGroups' | 'productAds' | 'keywords' | 'targets' | 'negativeKeywords' | 'negativeTargets'
>

/**
 * All that the marketplace's own books hold of the campaigns of a launch, whatever made it: a line an entity, sorted, in
 * the form of the table. What is not ENABLED below a campaign shows its state.
 */
export function bookLines(books: BooksOfCampaigns, campaignName: string): string[] {
  const ours = [...books.campaigns.values()].filter(c => c.name.includes(`| ${campaignName} |`))
  const stateOf = ({ state }: { state: string }) => (state === 'ENABLED' ? '' : ` (${state})`)
  const ids = new Set(ours.map(c => c.campaignId))
  const byCampaign = <T extends { campaignId: string }>(all: Map<string, T>) =>
    Map.groupBy(
      [...all.values()].filter(one => ids.has(one.campaignId)),
      one => one.campaignId,
    )
  const adGroups = byCampaign(books.adGroups)
  const productAds = byCampaign(books.productAds)
  const keywords = byCampaign(books.keywords)
  const targets = byCampaign(books.targets)
  const negativeKeywords = byCampaign(books.negativeKeywords)
  const negativeTargets = byCampaign(books.negativeTargets)
  return ours
    .flatMap(c => {
      const elsewhere = c.placements.filter(p => p.placement !== 'PLACEMENT_TOP').map(p => ` ${p.placement}`)
      const top = c.placements.find(p => p.placement === 'PLACEMENT_TOP')?.percentage ?? 0
      const groups = adGroups.get(c.campaignId) ?? []
      const names = new Map(groups.map(g => [g.adGroupId, `${c.name} > ${g.name}`]))
      const at = (id: string | null) => names.get(id ?? '') ?? `${c.name} > the whole campaign`
      return [
        `${c.name}: ${c.state} ${c.targetingType} ${money(c.budgetMicros)} ${biddings[c.strategy] ?? c.strategy} +${top}%${elsewhere.join('')}`,
        ...groups.map(g => `${at(g.adGroupId)}: default ${money(g.defaultBidMicros)}${stateOf(g)}`),
        ...(productAds.get(c.campaignId) ?? []).map(a => `${at(a.adGroupId)} advertises ${a.sku}${stateOf(a)}`),
        ...(keywords.get(c.campaignId) ?? []).map(
          k => `${at(k.adGroupId)} buys ${k.matchType} ${k.keywordText} ${money(k.bidMicros)}${stateOf(k)}`,
        ),
        ...(targets.get(c.campaignId) ?? []).map(t => {
          const { type = '', value } = t.expression[0] ?? {}
          const what = [aims[type] ?? type, value].filter(Boolean).join(' ')
          return `${at(t.adGroupId)} buys ${what} ${money(t.bidMicros)}${stateOf(t)}`
        }),
        ...(negativeKeywords.get(c.campaignId) ?? []).map(
          n =>
            `${at(n.adGroupId)} keeps out ${n.matchType === 'NEGATIVE_EXACT' ? '' : 'PHRASE '}${n.keywordText}${stateOf(n)}`,
        ),
        ...(negativeTargets.get(c.campaignId) ?? []).map(
          n => `${at(n.adGroupId)} keeps out ${JSON.stringify(n.expression)}${stateOf(n)}`,
        ),
      ]
    })
    .toSorted()
}
