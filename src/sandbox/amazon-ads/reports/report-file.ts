import writeExcelFile from 'write-excel-file/node'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Profile } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import { cellOf, type ReportRow } from './columns.ts'
import type { ReportRequest } from './report-request.ts'
import type { Fact, Purchase } from '../../market/market.ts'
import { reportTypes } from './report-types.ts'
import { createSubjects, type Subject } from './subject.ts'
import { addFact, addPurchases, emptySums } from './sums.ts'
import { getOrMake } from '../../market/get-or-make.ts'

const keyParts: Record<string, (fact: Fact) => string> = {
  campaign: fact => fact.campaignId,
  adGroup: fact => fact.adGroupId,
  campaignPlacement: fact => `${fact.campaignId}/${fact.placement}`,
  targeting: fact => `${fact.adGroupId}/${fact.targetId}`,
  searchTerm: fact => `${fact.adGroupId}/${fact.targetId}/${fact.searchTerm}`,
  advertiser: fact => fact.adId,
  ads: fact => fact.adId,
  asin: fact => `${fact.adId}/${fact.targetId}`,
  purchasedAsin: fact => fact.adGroupId,
  matchedTarget: fact => fact.searchTerm,
}

const filterValues: Record<string, (fact: Fact, subject: Subject) => string | undefined> = {
  campaignStatus: (_fact, { campaign }) => campaign.state,
  adStatus: (_fact, { adGroup }) => adGroup?.state,
  adKeywordStatus: (_fact, { target }) => target?.state,
  adCreativeStatus: (_fact, { ad }) => ad?.state,
  campaignSite: fact => (fact.placement === 'SITE_AMAZON_BUSINESS' ? 'AmazonBusiness' : 'Amazon'),
  keywordType: (_fact, { targetType }) => targetType,
}

/** The orders that a report of purchased products counts; undefined: it is another report. */
const countedPurchases: Record<string, (purchase: Purchase) => boolean> = {
  spPurchasedProduct: purchase => !purchase.sameSku,
  sbPurchasedProduct: () => true,
  sdPurchasedProduct: purchase => !purchase.sameSku,
}

/** The rows of a report, as the marketplace knew its facts at `asOf`. */
function reportRows(world: World, profile: Profile, request: ReportRequest, asOf: Date): ReportRow[] {
  const { groupBy, filters, timeUnit, reportTypeId } = request.configuration
  // This report covers campaigns that raise bids for an audience, which none does here.
  if (groupBy.includes('campaign_bid_boost_segment')) return []
  const subjectOf = createSubjects(world.store)
  const rows = new Map<string, ReportRow>()
  const rowAt = (key: string, first: Pick<ReportRow, 'fact' | 'subject' | 'date' | 'purchased'>): ReportRow =>
    getOrMake(rows, key, () => ({ ...emptySums(), ...first }))
  // The placement report has a row for each placement, whichever of its two names it is grouped by.
  const parts = groupBy.map(group => keyParts[reportTypeId === 'sbCampaignPlacement' ? 'campaignPlacement' : group])
  const countsPurchase = countedPurchases[reportTypeId]
  const { startDate, endDate } = request
  const adProduct = reportTypes[reportTypeId]?.adProduct
  for (const fact of world.market().facts(profile.profileId, startDate, endDate, asOf, adProduct)) {
    const subject = subjectOf(fact)
    if (!subject) continue
    if (filters?.some(({ field, values }) => !values.includes(filterValues[field]?.(fact, subject) ?? ''))) continue
    const date = timeUnit === 'DAILY' ? fact.day : ''
    let key = date
    for (const part of parts) key += `|${part?.(fact) ?? ''}`
    if (!countsPurchase) addFact(rowAt(key, { fact, subject, date, purchased: null }), fact, subject)
    else
      for (const purchase of fact.purchases.filter(countsPurchase)) {
        const purchased = { asin: purchase.asin, sameSku: purchase.sameSku }
        addPurchases(rowAt(`${key}|${purchase.asin}|${purchase.sameSku}`, { fact, subject, date, purchased }), [
          purchase,
        ])
      }
  }
  const all = [...rows.values()]
  // The search-term report omits terms without a click.
  return groupBy.includes('searchTerm') ? all.filter(row => row.clicks > 0) : all
}

/** JSON text as a cell of comma-separated text. */
function csvCell(json: string): string {
  if (json === 'null') return ''
  if (!json.startsWith('"')) return json
  const text = JSON.parse(json) as string
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** JSON text as a cell of a workbook; ids stay text, for a workbook's numbers are doubles. */
function sheetCell(json: string): string | number | null {
  const value = JSON.parse(json) as string | number | null
  return typeof value === 'number' && !Number.isSafeInteger(value) && !json.includes('.') ? json : value
}

export const fileEndings: Readonly<Record<string, string>> = { GZIP_JSON: 'json.gz', CSV: 'csv', XLSX: 'xlsx' }

/** A report as the marketplace knew its figures at `asOf`: gzipped JSON, comma-separated text or a workbook. */
export async function reportFile(world: World, profile: Profile, request: ReportRequest, asOf: Date): Promise<Buffer> {
  const { sellerId, marketplaceId } = profile
  const byAsin = new Map(
    [...world.store.products.values()]
      .filter(product => product.sellerId === sellerId && product.marketplaceId === marketplaceId)
      .map(product => [product.asin, product]),
  )
  const context = { profile, request, productOf: (asin: string) => byAsin.get(asin) }
  const { columns, format } = request.configuration
  const cells = columns.map(cellOf)
  const table = reportRows(world, profile, request, asOf).map(row => cells.map(cell => cell(row, context)))
  if (format === 'XLSX') return writeExcelFile([columns, ...table.map(row => row.map(sheetCell))]).toBuffer()
  if (format === 'CSV')
    return Buffer.from([columns.join(','), ...table.map(row => row.map(csvCell).join(','))].join('\n'))
  const names = columns.map(column => `${JSON.stringify(column)}:`)
  const rows = table.map(row => `{${row.map((cell, i) => `${names[i]}${cell}`).join(',')}}`)
  return promisify(gzip)(`[${rows.join(',')}]`)
}
