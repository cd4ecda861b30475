import { roundToUnit } from '#shared/money.ts'
import type { Books, Campaign, Keyword, Product, Profile, Target } from '../../core/model.ts'
import type { Fact } from '../../market/market.ts'
import { resolveExpression } from '../kinds/expressions.ts'

export type Window = 'd1' | 'd7' | 'd14' | 'd30'
export const windows: readonly Window[] = ['d1', 'd7', 'd14', 'd30']

export interface WindowSum {
  orders: number
  units: number
  salesMicros: number
  sameOrders: number
  sameUnits: number
  sameSalesMicros: number
}

/** What a fact says, with all that its ids stand for. */
export interface ReportFact {
  fact: Fact
  campaign: Campaign | undefined
  clause: Keyword | Target | undefined
  windows: Record<Window, WindowSum>
}

/**
 * The part for the advertised SKU, in whole orders and units, so that sums agree however the rows are grouped; sales
 * follow the units.
 */
const windowOf = (fact: Fact, window: Window, currency: string): WindowSum => {
  const [orders, units, salesMicros] = [fact.orders[window], fact.units[window], fact.salesMicros[window]]
  const sameOrders = Math.round(orders * fact.sameSkuShare)
  const sameUnits = orders === 0 ? 0 : sameOrders === orders ? units : Math.round(units * (sameOrders / orders))
  const sameSalesMicros =
    units === 0 ? 0 : sameUnits === units ? salesMicros : roundToUnit(salesMicros * (sameUnits / units), currency)
  return { orders, units, salesMicros, sameOrders, sameUnits, sameSalesMicros }
}

export const reportFact = (books: Books, profile: Profile, fact: Fact): ReportFact => ({
  fact,
  campaign: books.campaigns.get(fact.campaignId),
  clause: books.keywords.get(fact.targetId) ?? books.targets.get(fact.targetId),
  windows: {
    d1: windowOf(fact, 'd1', profile.currency),
    d7: windowOf(fact, 'd7', profile.currency),
    d14: windowOf(fact, 'd14', profile.currency),
    d30: windowOf(fact, 'd30', profile.currency),
  },
})

const autoNames: Record<string, string> = {
  QUERY_HIGH_REL_MATCHES: 'close-match',
  QUERY_BROAD_REL_MATCHES: 'loose-match',
  ASIN_SUBSTITUTE_RELATED: 'substitutes',
  ASIN_ACCESSORY_RELATED: 'complements',
}
const expressionNames: Record<string, string> = {
  ASIN_SAME_AS: 'asin',
  ASIN_EXPANDED_FROM: 'asin-expanded',
  ASIN_CATEGORY_SAME_AS: 'category',
  KEYWORD_GROUP_SAME_AS: 'keyword-group',
}

/** How reports write what an ad was targeted by: a keyword's text, `close-match`, `asin="B0..."`. */
export const targetingText = (books: Books, clause: ReportFact['clause']): string | null => {
  if (!clause) return null
  if ('keywordText' in clause) return clause.keywordText
  return resolveExpression(books, clause.expression)
    .map(({ type, value }) => autoNames[type] ?? `${expressionNames[type] ?? type.toLowerCase()}="${value ?? ''}"`)
    .join(' ')
}

/** BROAD, PHRASE, EXACT, or which kind of target. */
export const keywordTypeOf = (clause: ReportFact['clause']): string | null => {
  if (!clause) return null
  if ('keywordText' in clause) return clause.matchType
  return clause.expressionType === 'AUTO' ? 'TARGETING_EXPRESSION_PREDEFINED' : 'TARGETING_EXPRESSION'
}

/** Another product of the advertised one's seller, the same for the same clause: what was bought instead. */
export const otherAsin = (catalogue: readonly Product[], asin: string, targetId: string): string => {
  const advertised = catalogue.find(product => product.asin === asin)
  const others = catalogue.filter(one => one.asin !== asin && one.categoryId === advertised?.categoryId)
  const pick = Number(BigInt(targetId) % BigInt(Math.max(1, others.length)))
  return others[pick]?.asin ?? asin
}
