import type { Books, Profile } from '../../core/model.ts'
import type { World } from '../../core/world.ts'
import { cellOf, type ReportRow } from './report-columns.ts'
import { keywordTypeOf, otherAsin, type ReportFact, reportFact, windows, type WindowSum } from './report-line.ts'
import type { ReportConfiguration, ReportRequest } from './report-request.ts'

const keyParts: Record<string, (line: ReportFact) => string> = {
  campaign: line => line.fact.campaignId,
  adGroup: line => line.fact.adGroupId,
  campaignPlacement: line => `${line.fact.campaignId}/${line.fact.placement}`,
  targeting: line => `${line.fact.adGroupId}/${line.fact.targetId}`,
  searchTerm: line => `${line.fact.adGroupId}/${line.fact.targetId}/${line.fact.searchTerm}`,
  advertiser: line => line.fact.adId,
  asin: line => `${line.fact.adGroupId}/${line.fact.targetId}/${line.fact.asin}`,
}

const filterValue = (line: ReportFact, field: string, books: Books): string | undefined | null => {
  if (field === 'campaignStatus') return line.campaign?.state
  if (field === 'adStatus') return books.adGroups.get(line.fact.adGroupId)?.state
  if (field === 'adKeywordStatus') return line.clause?.state
  if (field === 'adCreativeStatus') return books.productAds.get(line.fact.adId)?.state
  if (field === 'campaignSite') return line.fact.placement === 'SITE_AMAZON_BUSINESS' ? 'AmazonBusiness' : 'Amazon'
  return keywordTypeOf(line.clause)
}

const passes = (line: ReportFact, filters: ReportConfiguration['filters'], books: Books): boolean =>
  (filters ?? []).every(({ field, values }) => values.includes(filterValue(line, field, books) ?? ''))

const noSum = (): WindowSum => ({
  orders: 0,
  units: 0,
  salesMicros: 0,
  sameOrders: 0,
  sameUnits: 0,
  sameSalesMicros: 0,
})

const emptyRow = (sample: ReportFact, date: string, { startDate, endDate }: ReportRequest): ReportRow => ({
  sample,
  date,
  startDate,
  endDate,
  impressions: 0,
  clicks: 0,
  costMicros: 0,
  windows: { d1: noSum(), d7: noSum(), d14: noSum(), d30: noSum() },
  purchasedAsin: null,
})

const add = (row: ReportRow, line: ReportFact): void => {
  row.impressions += line.fact.impressions
  row.clicks += line.fact.clicks
  row.costMicros += line.fact.costMicros
  for (const window of windows) {
    const [sum, part] = [row.windows[window], line.windows[window]]
    sum.orders += part.orders
    sum.units += part.units
    sum.salesMicros += part.salesMicros
    sum.sameOrders += part.sameOrders
    sum.sameUnits += part.sameUnits
    sum.sameSalesMicros += part.sameSalesMicros
  }
}

/** Keeps of a row what was bought instead of the advertised product; null when that is nothing. */
const onlyOthers = (row: ReportRow, purchasedAsin: string): ReportRow | null => {
  const changed = { ...row, purchasedAsin, windows: { d1: noSum(), d7: noSum(), d14: noSum(), d30: noSum() } }
  for (const window of windows) {
    const [to, from] = [changed.windows[window], row.windows[window]]
    to.orders = from.orders - from.sameOrders
    to.units = from.units - from.sameUnits
    to.salesMicros = from.salesMicros - from.sameSalesMicros
  }
  return changed.windows.d30.orders > 0 ? changed : null
}

/** The rows of a report, as the marketplace knew its facts at `asOf`. */
export const reportRows = (world: World, profile: Profile, request: ReportRequest, asOf: Date): ReportRow[] => {
  const { groupBy, filters, timeUnit, reportTypeId } = request.configuration
  const { books } = world
  const rows = new Map<string, ReportRow>()
  for (const fact of world.market().facts(profile.profileId, request.startDate, request.endDate, asOf)) {
    const line = reportFact(books, profile, fact)
    if (!passes(line, filters, books)) continue
    const date = timeUnit === 'DAILY' ? fact.day : ''
    const key = `${date}|${groupBy.map(group => keyParts[group]?.(line)).join('|')}`
    let row = rows.get(key)
    if (!row) rows.set(key, (row = emptyRow(line, date, request)))
    add(row, line)
  }
  const all = [...rows.values()]
  // The search-term report knows no term that nobody clicked on.
  if (reportTypeId === 'spSearchTerm') return all.filter(row => row.clicks > 0)
  if (reportTypeId !== 'spPurchasedProduct') return all
  const catalogue = [...books.products.values()].filter(
    product => product.sellerId === profile.sellerId && product.marketplaceId === profile.marketplaceId,
  )
  return all.flatMap(row => {
    const { asin, targetId } = row.sample.fact
    const halo = onlyOthers(row, otherAsin(catalogue, asin, targetId))
    return halo ? [halo] : []
  })
}

/** The file's text: a JSON array with the columns in the order asked. */
export const reportText = (world: World, profile: Profile, request: ReportRequest, asOf: Date): string => {
  const columns = request.configuration.columns.map(column => ({ name: JSON.stringify(column), cell: cellOf(column) }))
  const lines = reportRows(world, profile, request, asOf).map(
    row => `{${columns.map(({ name, cell }) => `${name}:${cell(row, world.books, profile.currency)}`).join(',')}}`,
  )
  return `[${lines.join(',')}]`
}
