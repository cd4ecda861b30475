import { keptAnswer, type KeptAnswer, keptPages } from '#client/api/memory/kept-screens.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { type TermsFilter, termQueries } from '#features/campaigns/client/public.ts'
import { firstMetric } from './insight-pages.ts'
import { orderOf, type Part } from './keywords/part-choice.tsx'
import { insightQueries } from './queries.ts'

/** What the pages of insights open with when their address says nothing. */
export function insightAnswers(shop: Shop, range: DateRange): KeptAnswer[] {
  const { from, to } = range
  const days = { dateFrom: from, dateTo: to }
  // Which order goes with which part is `orderOf`'s to know.
  const of = (part: Part) => ({ ...days, ...orderOf({ part }) }) as never
  const terms = of('terms') as TermsFilter
  return [
    keptAnswer(insightQueries.hours(shop, { ...days, metric: firstMetric })),
    keptAnswer(insightQueries.campaigns(shop, from, to)),
    keptAnswer(insightQueries.asins(shop, { ...days, sortBy: 'cost', sortDir: 'desc', page: 0, size: 20 })),
    keptAnswer(insightQueries.asinChart(shop, days)),
    keptAnswer(insightQueries.topTerms(shop, of('terms'))),
    keptPages(termQueries.terms(shop, { ...terms, orders: 'WITH' })),
    keptPages(insightQueries.topKeywords(shop, of('keywords'))),
    keptPages(insightQueries.underperforming(shop, of('underperforming'))),
    keptPages(insightQueries.negativeImpact(shop, of('negatives'))),
  ]
}
