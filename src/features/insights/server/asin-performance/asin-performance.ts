import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { allowedPicture, costSpans, productEvents, salesPace } from '#features/catalogue/server/public.ts'
import {
  importedTradeDays,
  presentFreshness,
  type ProductDay,
  productDays,
  productTrends,
  profileDays,
  profileFreshness,
  tradeAsOf,
  tradeDays,
  tradeDaysByProduct,
  tradeSales,
} from '#features/metrics/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type Cell, fileColumn, fileName, readInParts, tableFile } from '#server/http/table-file.ts'
import type { EndpointParsed, FileAnswer } from '#shared/define-endpoint.ts'
import { addSums, type FigureSums, noSums, toFigures } from '#shared/metrics.ts'
import { fromMicros, type Micros } from '#shared/money.ts'
import { profitAfterAds } from '#shared/profit.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { addDays, dayIn, daysBetween, daysOf } from '#shared/time.ts'
import { type AsinFigure, asinFigures } from '../../asin-columns.ts'
import type { AsinChart, asinEndpoints, AsinPage, AsinRow } from '../../asin-contract.ts'
import {
  type AsinFigures,
  type AsinRequest,
  type Days,
  type ProductTotals,
  readFigures,
  readOrder,
} from './read-asins.ts'

/** Besides what the screen asks for: only these products. */
interface Only {
  asins?: readonly string[] | undefined
}
type Query = EndpointParsed<(typeof asinEndpoints)['list']>['query'] & Only

/** What a request is read with: its days, those before, and what of the seller's sales is there. */
async function requestOf(tx: Db, ctx: Ctx, profile: Profile, query: Omit<Query, 'page' | 'size'>) {
  const today = dayIn(ctx.clock.now(), profile.timezone)
  const dateTo = query.dateTo ?? today
  const dateFrom = query.dateFrom ?? addDays(dateTo, -29)
  const length = daysBetween(dateFrom, dateTo) + 1
  const previous = { from: addDays(dateFrom, -length), to: addDays(dateFrom, -1) }
  const freshness = await profileFreshness(tx, profile)
  const days = importedPart({ from: dateFrom, to: dateTo }, freshness.importedTo)
  const lastDay = earlier(freshness.importedTo ?? today, addDays(today, -1))
  const request: AsinRequest = {
    ...query,
    days,
    spans: await costSpans(tx, profile, days),
    previous,
    hasTrade: daysBetween(days.from, days.to) >= 0 && (await hasTrade(tx, profile, days)),
    pace: await salesPace(tx, profile, lastDay),
  }
  const asOf = earlierMoment(freshness.asOf, await tradeAsOf(tx, profile, dateFrom, dateTo))
  return { request, dateFrom, dateTo, freshness: presentFreshness({ ...freshness, asOf }) }
}

const earlier = (a: string, b: string): string => (a < b ? a : b)
const earlierMoment = (a: Date | null, b: Date | null): Date | null => (a && b ? (a < b ? a : b) : (a ?? b))
/** The days that were imported; none of them when the last comes before the first. */
const importedPart = ({ from, to }: Days, importedTo: string | null): Days => ({
  from,
  to: earlier(to, importedTo ?? addDays(from, -1)),
})
const hasTrade = async (tx: Db, profile: Profile, days: Days): Promise<boolean> =>
  (await importedTradeDays(tx, profile, days)) === daysBetween(days.from, days.to) + 1

/** A page of products with their figures. Throws RULE_VIOLATED when no marketplace is chosen. */
export function listAsins(ctx: Ctx, query: Query): Promise<AsinPage> {
  return readAccount(ctx, async (tx, profile) => {
    const { request, dateFrom, dateTo, freshness } = await requestOf(tx, ctx, profile, query)
    const { days, previous } = request
    const { asins, total, missingCosts, totals } = await readOrder(tx, profile, request, query)
    return {
      content: await readRows(tx, ctx, profile, request, asins),
      page: pageInfo(query.page, query.size, total),
      currency: profile.currency,
      dateFrom,
      dateTo,
      previousFrom: previous.from,
      previousTo: previous.to,
      freshness,
      totals: { ...toFigures(totals), ...tradeOf(totals, request.hasTrade, request.hasTrade) },
      missingCosts,
      unassigned:
        query.search || query.asins ? null : await readUnassigned(tx, profile, days, totals, request.hasTrade),
    }
  })
}

/** What Home counts and no product has. */
async function readUnassigned(tx: Db, profile: Profile, days: Days, totals: ProductTotals, hasSales: boolean) {
  if (days.to < days.from) return null
  const all = addSums(await profileDays(tx, profile.merchantId, [profile.profileId], days.from, days.to))
  const rest = Object.fromEntries(
    Object.keys(noSums).map(field => [field, all[field as keyof FigureSums] - totals[field as keyof FigureSums]]),
  ) as unknown as FigureSums
  const salesMicros = hasSales ? (await tradeSales(tx, profile, days.from, days.to)) - totals.totalSalesMicros : 0
  const isNothing = Object.values(rest).every(value => value === 0) && (!hasSales || salesMicros === 0)
  return isNothing ? null : { ...toFigures(rest), totalSales: hasSales ? fromMicros(salesMicros) : null }
}

type Trade = Pick<ProductTotals, 'totalUnits' | 'totalSalesMicros' | 'knownSalesMicros' | 'feesMicros' | 'goodsMicros'>

/** All sales, and what they left; unknown while sales by product or costs are missing. */
function tradeOf({ costMicros, ...trade }: Trade & { costMicros: Micros }, hasSales: boolean, hasProfit: boolean) {
  const { totalUnits, totalSalesMicros, knownSalesMicros: salesMicros, feesMicros, goodsMicros } = trade
  return {
    totalSales: hasSales ? fromMicros(totalSalesMicros) : null,
    totalUnits: hasSales ? totalUnits : null,
    tacos: hasSales ? percentOf(costMicros, totalSalesMicros) : null,
    profit: hasProfit ? fromMicros(profitAfterAds({ salesMicros, feesMicros, goodsMicros, costMicros })) : null,
  }
}

const percentOf = (part: Micros, whole: Micros): number | null => (whole > 0 ? (part / whole) * 100 : null)

async function readRows(tx: Db, ctx: Ctx, profile: Profile, request: AsinRequest, asins: readonly string[]) {
  if (!asins.length) return []
  const byAsin = new Map((await readFigures(tx, profile, asins, request)).map(row => [row.asin, row]))
  const trends = await productTrends(
    tx,
    profile,
    asins,
    request.days,
    request.hasTrade ? 'total_sales_micros' : 'sales_micros',
  )
  const hadTrade = await hasTrade(tx, profile, request.previous)
  const dates = daysOf(request.days.from, request.days.to)
  return asins.flatMap(asin => {
    const row = byAsin.get(asin)
    if (!row) return []
    const { imageUrl, ...rest } = presentRow(row, { hasSales: request.hasTrade, hadSales: hadTrade })
    const trend = dates.map(date => fromMicros(trends.get(asin)?.[date] ?? 0))
    return [{ ...rest, imageUrl: allowedPicture(imageUrl, ctx.config.IMAGE_HOSTS), trend }]
  })
}

function presentRow(row: AsinFigures, { hasSales, hadSales }: { hasSales: boolean; hadSales: boolean }) {
  const { asin, title, imageUrl, missesCogs, missesFees, available, coverDays, before } = row
  const missing = !hasSales ? 'SALES' : missesCogs ? 'COGS' : missesFees ? 'FEES' : null
  const { cost, sales, acos } = toFigures(before)
  return {
    asin,
    title,
    imageUrl,
    ...toFigures(row),
    ...tradeOf(row, hasSales, missing === null),
    profitUnknown: missing as AsinRow['profitUnknown'],
    available,
    coverDays: coverDays === null ? null : Math.max(0, Math.round(coverDays * 10) / 10),
    previous: {
      cost,
      sales,
      acos,
      totalSales: hadSales ? fromMicros(before.totalSalesMicros) : null,
      totalUnits: hadSales ? before.totalUnits : null,
      tacos: hadSales ? percentOf(before.costMicros, before.totalSalesMicros) : null,
    },
  }
}

/** Ad and total sales day by day: of one product, of those that match a search, or of the whole account. */
export function chartAsins(
  ctx: Ctx,
  { asin, ...query }: EndpointParsed<(typeof asinEndpoints)['chart']>['query'],
): Promise<AsinChart> {
  return readAccount(ctx, async (tx, profile) => {
    const { merchantId, marketplaceId, profileId } = profile
    const sorting = { sortBy: 'title', sortDir: 'asc' } as const
    const { request, dateFrom, dateTo, freshness } = await requestOf(tx, ctx, profile, { ...query, ...sorting })
    const some = asin ? [asin] : query.search ? (await readOrder(tx, profile, request)).asins : null
    const ads = some
      ? sumByDay(await productDays(tx, profile, some, { from: dateFrom, to: dateTo }))
      : new Map((await profileDays(tx, merchantId, [profileId], dateFrom, dateTo)).map(day => [day.date, day]))
    const trade = new Map((await tradeDays(tx, profile, dateFrom, dateTo)).map(day => [day.date, day]))
    const byProduct = await tradeDaysByProduct(tx, profile, { from: dateFrom, to: dateTo })
    const events = await productEvents(tx, merchantId, marketplaceId, dateFrom, dateTo)
    return {
      currency: profile.currency,
      dateFrom,
      dateTo,
      freshness,
      points: daysOf(dateFrom, dateTo).map(date => {
        const sums = ads.get(date) ?? noSums
        const ofSome = byProduct.has(date)
          ? { units: ofProducts(sums, 'totalUnits'), salesMicros: ofProducts(sums, 'totalSalesMicros') }
          : null
        const own = some ? ofSome : trade.get(date)
        return {
          date,
          ...toFigures(sums),
          totalSales: own ? fromMicros(own.salesMicros) : null,
          totalUnits: own ? own.units : null,
          tacos: own ? percentOf(sums.costMicros, own.salesMicros) : null,
        }
      }),
      events: some ? events.filter(event => some.includes(event.asin)) : events,
    }
  })
}

type DaySums = FigureSums & Partial<Pick<ProductDay, 'totalUnits' | 'totalSalesMicros'>>
const ofProducts = (sums: DaySums, field: 'totalUnits' | 'totalSalesMicros'): number => sums[field] ?? 0

function sumByDay(days: readonly ProductDay[]): Map<string, DaySums> {
  return new Map(
    [...Map.groupBy(days, day => day.date)].map(([date, rows]) => {
      const total = (field: 'totalUnits' | 'totalSalesMicros') => rows.reduce((sum, row) => sum + row[field], 0)
      return [date, { ...addSums(rows), totalUnits: total('totalUnits'), totalSalesMicros: total('totalSalesMicros') }]
    }),
  )
}

/**
 * All products that match as a file, in the order of the screen. ASINs that were asked for and that are
 * none of the account's products then follow without a title and figures.
 */
export async function exportAsins(
  ctx: Ctx,
  { format, columns, ...query }: EndpointParsed<(typeof asinEndpoints)['exported']>['query'] & Only,
): Promise<FileAnswer> {
  const { profile, request, asins, ...days } = await readAccount(ctx, async (tx, account) => {
    const found = await requestOf(tx, ctx, account, query)
    const { asins: ordered } = await readOrder(tx, account, found.request)
    return { profile: account, asins: ordered, ...found }
  })
  const shown = (columns?.length ? columns : Object.keys(asinFigures)) as AsinFigure[]
  const read = (part: string[]) => ctx.db.reading(profile.merchantId, tx => readRows(tx, ctx, profile, request, part))
  async function* rows(): AsyncGenerator<Cell[]> {
    for await (const row of readInParts(asins, one => one.asin, read))
      yield [row.asin, row.title, ...shown.map(name => row[name])]
    const found = new Set(asins)
    for (const asin of query.asins ?? []) if (!found.has(asin)) yield [asin, null, ...shown.map(() => null)]
  }
  return tableFile({
    name: fileName('products', profile, { from: days.dateFrom, to: days.dateTo }),
    format,
    sheet: 'products',
    columns: [
      fileColumn('ASIN', 'text', profile.currency),
      { ...fileColumn('Product', 'text', profile.currency), width: 40 },
      ...shown.map(name => fileColumn(asinFigures[name].label, asinFigures[name].unit, profile.currency)),
    ],
    rows: rows(),
  })
}
