import { buildUrl } from '#client/api/build-request.ts'
import { resolveRange } from '#client/ui/forms/date-range.ts'
import { homePaths } from '../paths.ts'
import { todayIn } from '../days.ts'

export const homeCardsKey = ['home', 'cards'] as const

/** The address of Home's first request without search params: that of `homeQueries.cards`. */
export function cardsUrl(marketplaceId: number, now: Date): string {
  const { from, to } = resolveRange({}, todayIn(marketplaceId, now))
  return buildUrl({ path: homePaths.cards }, { query: { dateFrom: from, dateTo: to } })
}
