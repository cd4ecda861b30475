import { expect } from 'vitest'
import { campaignListEndpoints as lists } from '#features/campaigns/contract.ts'
import { campaignsRoutes } from '#features/campaigns/server/routes.ts'
import { type DashboardCard, homeEndpoints as home, metricOfCard } from '#features/home/contract.ts'
import { homeRoutes } from '#features/home/server/routes.ts'
import { searchTermEndpoints as terms } from '#features/search-terms/contract.ts'
import { searchTermRoutes } from '#features/search-terms/server/routes.ts'
import type { Fact } from '#sandbox/market/market.ts'
import { adTypes } from '#shared/campaign-rules.ts'
import type { Endpoint } from '#shared/define-endpoint.ts'
import { addSums, type Figures, toFigures } from '#shared/metrics.ts'
import { booked, type Days, daysIn, type FigureRow, measured, shown, type TrueWorld } from './true-world.ts'

const query = ({ from, to }: Days) => ({ dateFrom: from, dateTo: to })

/** Compares Home, every list and the search terms of a country over the days with the marketplace's own books, to the cent. */
export async function expectTrueLists(trueWorld: TrueWorld, country: string, days: Days): Promise<void> {
  const { answer, books } = trueWorld
  await trueWorld.workIn(country)
  const byDay = books(country, days, fact => fact.day)
  const total = addSums([...byDay.values()])
  expect(total.salesMicros).toBeGreaterThan(0)
  const { currency } = trueWorld.profileOf(country)

  const { cards } = await answer<{ cards: DashboardCard[] }>(country, homeRoutes, home.cards, query(days))
  for (const [card, metric] of Object.entries(metricOfCard)) {
    const one = cards.find(({ metric: name }) => name === card)
    expect([card, one?.value]).toEqual([card, toFigures(total)[metric]])
    expect([card, one?.sparkline.length]).toEqual([card, daysIn(days).length])
  }
  const breakdown = await answer<{ rows: (FigureRow & { currency: string })[] }>(
    country,
    homeRoutes,
    home.breakdown,
    query(days),
  )
  const ofShop = breakdown.rows.find(row => row.currency === currency)
  expect(ofShop && measured(ofShop)).toEqual(measured(toFigures(total)))
  const chart = await answer<{ points: (FigureRow & { date: string })[] }>(
    country,
    homeRoutes,
    home.performance,
    query(days),
  )
  expect(chart.points.map(({ date }) => date)).toEqual(daysIn(days))
  expect(shown(chart.points, row => String(row['date']))).toEqual(booked(byDay))

  const rows = (endpoint: Endpoint, more: object = {}) =>
    trueWorld.allRows(country, campaignsRoutes, endpoint, { ...query(days), ...more })
  const amazonId = (row: FigureRow) => String(row['amazonId'])
  const expectList = async (endpoint: Endpoint, keyOf: (fact: Fact) => string) => {
    const page = await rows(endpoint)
    const expected = booked(books(country, days, keyOf))
    expect(shown(page.content, amazonId)).toEqual(expected)
    expect(measured(page.totals)).toEqual(measured(toFigures(total)))
  }
  await expectList(lists.campaigns, fact => fact.campaignId)
  await expectList(lists.adGroups, fact => fact.adGroupId)
  await expectList(lists.ads, fact => fact.adId)
  const [keywords, targets] = [await rows(lists.keywords), await rows(lists.targets)]
  expect(shown([...keywords.content, ...targets.content], amazonId)).toEqual(
    booked(books(country, days, fact => fact.targetId)),
  )
  // Each ad type apart: the views that sell belong to Display.
  for (const adType of adTypes) {
    const own = addSums([...books(country, days, fact => fact.day, [adType]).values()])
    expect(own.costMicros).toBeGreaterThan(0)
    const page = await rows(lists.campaigns, { adType })
    expect([adType, measured(page.totals)]).toEqual([adType, measured(toFigures(own))])
  }

  const searched = await trueWorld.allRows(country, searchTermRoutes, terms.ofAccount, query(days))
  const groups = await trueWorld.amazonIds(country, 'ad_group')
  const found = shown(searched.content, row => `${groups.get(Number(row['adGroupId']))} ${String(row['term'])}`)
  const withoutDisplay = books(
    country,
    days,
    fact => (fact.clicks > 0 ? `${fact.adGroupId} ${fact.searchTerm}` : null),
    ['SPONSORED_PRODUCTS', 'SPONSORED_BRANDS'],
  )
  // The marketplace lists no term of a day on which nobody clicked, so its impressions are not all there.
  const exceptImpressions = (all: Record<string, Figures>) =>
    Object.fromEntries(Object.entries(all).map(([key, figures]) => [key, { ...figures, impressions: 0 }]))
  expect(exceptImpressions(found)).toEqual(exceptImpressions(booked(withoutDisplay)))
}
