import { expect } from 'vitest'
import {
  catalogueEndpoints as catalogue,
  type InventoryPage,
  type InventoryProduct,
} from '#features/catalogue/contract.ts'
import { setCost } from '#features/catalogue/server/costs/change-costs.ts'
import { importCatalogue } from '#features/catalogue/server/public.ts'
import { catalogueRoutes } from '#features/catalogue/server/routes.ts'
import { type DashboardCard, homeEndpoints as home } from '#features/home/contract.ts'
import { homeRoutes } from '#features/home/server/routes.ts'
import { type AsinChart, asinEndpoints, type AsinPage, type AsinRow } from '#features/insights/contract.ts'
import { insightsRoutes } from '#features/insights/server/routes.ts'
import { importProductTrade } from '#features/metrics/server/public.ts'
import type { DailySales } from '#sandbox/market/market.ts'
import { addSums, toFigures } from '#shared/metrics.ts'
import { fromMicros, roundToUnit, toMicros } from '#shared/money.ts'
import { addDays, daysBetween } from '#shared/time.ts'
import { booked, type Days, daysIn, measured, quiet, shown, signal, type TrueWorld } from './true-world.ts'

/** What the marketplace keeps of a sale: a share of the price, and a fee for handling a small parcel. */
const referralShare = 0.15
const handlingFees: Record<string, string> = { USD: '3.86', EUR: '3.4', JPY: '434' }

interface Good {
  asin: string
  feesMicros: number
  /** What a unit costs before and from `dearerFrom` on; null where the seller entered none. */
  cogsMicros: readonly [before: number, after: number] | null
}

/** The day on which some goods become dearer: in the middle of these days. */
const dearerFrom = ({ from, to }: Days): string => addDays(from, Math.floor(daysBetween(from, to) / 2))

/** Every fifth product has no known cost; of the others every second one becomes dearer in the middle of the days. */
function goodsOf(trueWorld: TrueWorld, country: string): Map<string, Good> {
  const { currency } = trueWorld.profileOf(country)
  return new Map(
    listedIn(trueWorld, country).map(({ asin, sku, priceMicros }, i) => {
      const share = (of: number) => roundToUnit(priceMicros * of, currency)
      const cogsMicros = i % 5 === 3 ? null : ([share(0.24), share(i % 2 ? 0.24 : 0.31)] as const)
      return [sku, { asin, cogsMicros, feesMicros: share(referralShare) + toMicros(handlingFees[currency] ?? '') }]
    }),
  )
}

function listedIn({ world, profileOf }: TrueWorld, country: string) {
  const { sellerId, marketplaceAmazonId } = profileOf(country)
  return [...world.store.products.values()]
    .filter(product => product.sellerId === sellerId && product.marketplaceId === marketplaceAmazonId)
    .toSorted((a, b) => (a.sku < b.sku ? -1 : 1))
}

const inventoryOf = (trueWorld: TrueWorld, country: string) =>
  trueWorld.allRows<InventoryPage>(country, catalogueRoutes, catalogue.inventory, {})

/** The last days that `importProducts` has the sales of, for a range and the one before it. */
export const productDaysOf = ({ from, to }: Days): Days => ({ from: addDays(from, -1 - daysBetween(from, to)), to })

/** Imports catalogue, stock and what was sold in these days and as many before, and enters what goods cost, as a seller does. */
export async function importProducts(trueWorld: TrueWorld, country: string, days: Days): Promise<void> {
  const { services, profileOf } = trueWorld
  const sold = productDaysOf(days)
  await trueWorld.workIn(country)
  await importCatalogue(services, profileOf(country), quiet)
  // All at once: each report takes seconds.
  await Promise.all(daysIn(sold).map(day => importProductTrade(services, profileOf(country), day, signal)))
  const goods = goodsOf(trueWorld, country)
  for (const { productId, sku } of (await inventoryOf(trueWorld, country)).content) {
    const costs = goods.get(sku)?.cogsMicros
    if (!costs) continue
    const ctx = trueWorld.callerOf(country)
    await setCost(ctx, { productId, cogs: fromMicros(costs[0]) })
    if (costs[1] !== costs[0])
      await setCost(ctx, { productId, cogs: fromMicros(costs[1]), validFrom: dearerFrom(days) })
  }
}

/** Compares inventory, ASIN performance, TACOS and profit with the marketplace's own books, to the cent. */
export async function expectTrueProducts(trueWorld: TrueWorld, country: string, days: Days): Promise<void> {
  await trueWorld.workIn(country)
  const previous = { from: productDaysOf(days).from, to: addDays(days.from, -1) }
  const sales = new Sales(trueWorld, country, dearerFrom(days))
  await expectTrueInventory(trueWorld, country, sales)
  const page = await trueWorld.allRows<AsinPage>(country, insightsRoutes, asinEndpoints.list, query(days))
  const ads = adsByAsin(trueWorld, country, days)
  expect(shown(page.content, row => row.asin)).toEqual(booked(ads))
  expect(new Set(page.content.map(row => row.asin))).toEqual(new Set([...ads.keys(), ...sales.asinsOf(days)]))
  const adsBefore = adsByAsin(trueWorld, country, previous)
  for (const row of page.content) {
    const own = { asin: row.asin, costMicros: ads.get(row.asin)?.costMicros ?? 0 }
    expect(pick(row)).toEqual({ asin: row.asin, ...sales.expectedOf(days, own) })
    const before = { asin: row.asin, costMicros: adsBefore.get(row.asin)?.costMicros ?? 0 }
    const { totalSales, totalUnits, tacos } = sales.expectedOf(previous, before)
    const { cost, sales: adSales, acos } = toFigures(addSums([adsBefore.get(row.asin) ?? []].flat()))
    expect(row.previous).toEqual({ cost, sales: adSales, acos, totalSales, totalUnits, tacos })
    expect(row.trend).toEqual(daysIn(days).map(day => fromMicros(sales.total({ from: day, to: day }, row.asin).micros)))
  }
  const brands = addSums([...trueWorld.books(country, days, fact => fact.day, ['SPONSORED_BRANDS']).values()])
  expect(page.unassigned && measured(page.unassigned)).toEqual(measured(toFigures(brands)))
  await expectTrueChart(trueWorld, country, days, sales)
  await expectTrueProfit(trueWorld, country, days, sales)
}

const query = ({ from, to }: Days) => ({ dateFrom: from, dateTo: to })
const pick = ({ asin, totalSales, totalUnits, tacos, profit, profitUnknown }: AsinRow) => ({
  asin,
  totalSales,
  totalUnits,
  tacos,
  profit,
  profitUnknown,
})

/** What ads of single products did; those of Sponsored Brands show several. */
const adsByAsin = (trueWorld: TrueWorld, country: string, days: Days) =>
  trueWorld.books(country, days, fact => fact.asin, ['SPONSORED_PRODUCTS', 'SPONSORED_DISPLAY'])

/** What the marketplace sold of each product, and what that left by the costs of each day. */
class Sales {
  private readonly trueWorld: TrueWorld
  private readonly country: string
  private readonly dearerFrom: string
  readonly goods: Map<string, Good>

  constructor(trueWorld: TrueWorld, country: string, from: string) {
    this.trueWorld = trueWorld
    this.country = country
    this.dearerFrom = from
    this.goods = goodsOf(trueWorld, country)
  }

  rows({ from, to }: Days, asin?: string): DailySales[] {
    const { sellerId, marketplaceAmazonId } = this.trueWorld.profileOf(this.country)
    const rows = this.trueWorld.world.market().salesByDay(sellerId ?? '', marketplaceAmazonId, from, to)
    return rows.filter(row => row.units !== 0 && (asin ?? row.asin) === row.asin)
  }

  asinsOf = (days: Days): string[] => this.rows(days).map(row => row.asin)

  total(days: Days, asin?: string): { units: number; micros: number } {
    const rows = this.rows(days, asin)
    const sum = (of: (row: DailySales) => number) => rows.reduce((all, row) => all + of(row), 0)
    return { units: sum(row => row.units), micros: sum(row => row.salesMicros) }
  }

  /** What sales at known costs left before ads, and of how many products the costs are not known. */
  margin(days: Days, asin?: string): { micros: number; unknown: number } {
    const unknown = new Set<string>()
    let micros = 0
    for (const { sku, day, units, salesMicros } of this.rows(days, asin)) {
      const { cogsMicros, feesMicros } = this.goods.get(sku) ?? expect.unreachable()
      if (cogsMicros) micros += salesMicros - units * (feesMicros + cogsMicros[day < this.dearerFrom ? 0 : 1])
      else unknown.add(sku)
    }
    return { micros, unknown: unknown.size }
  }

  expectedOf(days: Days, { asin, costMicros }: { asin: string; costMicros: number }) {
    const [total, margin] = [this.total(days, asin), this.margin(days, asin)]
    return {
      totalSales: fromMicros(total.micros),
      totalUnits: total.units,
      tacos: total.micros > 0 ? (costMicros / total.micros) * 100 : null,
      profit: margin.unknown ? null : fromMicros(margin.micros - costMicros),
      profitUnknown: margin.unknown ? 'COGS' : null,
    }
  }
}

async function expectTrueInventory(trueWorld: TrueWorld, country: string, sales: Sales): Promise<void> {
  const today = trueWorld.today(country)
  const { currency } = trueWorld.profileOf(country)
  const { content } = await inventoryOf(trueWorld, country)
  const rows = content.toSorted((a, b) => (a.sku < b.sku ? -1 : 1))
  const expected = listedIn(trueWorld, country).map((listed): Partial<InventoryProduct> => {
    // The pace is of the last 14 days that are over; of the first of them no sales were imported.
    const { units } = sales.total({ from: addDays(today, -13), to: addDays(today, -1) }, listed.asin)
    const cogs = sales.goods.get(listed.sku)?.cogsMicros?.[1]
    return {
      asin: listed.asin,
      sku: listed.sku,
      fnsku: listed.fnsku,
      title: listed.title,
      brand: listed.brand,
      customerPrice: fromMicros(listed.priceMicros),
      customerCurrency: currency,
      bestSellerRank: listed.bestSellerRank,
      spEligibilityStatus: listed.eligibility,
      available: listed.fulfillable,
      reservedQuantity: listed.reserved,
      unfulfillableQuantity: listed.unfulfillable,
      inboundWorking: listed.inboundWorking,
      inboundShipped: listed.inboundShipped,
      inboundReceived: listed.inboundReceiving,
      cogs: cogs === undefined ? null : fromMicros(cogs),
      coverDays: units > 0 ? Math.round((listed.fulfillable / (units / 13)) * 10) / 10 : null,
    }
  })
  expect(rows).toMatchObject(expected)
  expect(rows).toHaveLength(expected.length)
}

async function expectTrueChart(trueWorld: TrueWorld, country: string, days: Days, sales: Sales): Promise<void> {
  const [best] = sales.rows(days).toSorted((a, b) => b.salesMicros - a.salesMicros)
  for (const asin of [undefined, best?.asin]) {
    const request = { ...query(days), ...(asin && { asin }) }
    const chart = await trueWorld.answer<AsinChart>(country, insightsRoutes, asinEndpoints.chart, request)
    expect(chart.points.map(({ date, totalSales, totalUnits }) => ({ date, totalSales, totalUnits }))).toEqual(
      daysIn(days).map(date => {
        const { micros, units } = sales.total({ from: date, to: date }, asin)
        return { date, totalSales: fromMicros(micros), totalUnits: units }
      }),
    )
  }
}

/** TACOS and profit of Home, of the range and of what its change compares: the days that are over, and as many before. */
async function expectTrueProfit(trueWorld: TrueWorld, country: string, days: Days, sales: Sales): Promise<void> {
  const { cards } = await trueWorld.answer<{ cards: DashboardCard[] }>(country, homeRoutes, home.cards, query(days))
  const over = { from: days.from, to: addDays(trueWorld.today(country), -1) }
  const before = { from: addDays(days.from, -1 - daysBetween(over.from, over.to)), to: addDays(days.from, -1) }
  const of = (range: Days) => {
    const { costMicros } = addSums([...trueWorld.books(country, range, fact => fact.day).values()])
    return {
      tacos: (costMicros / sales.total(range).micros) * 100,
      profit: fromMicros(sales.margin(range).micros - costMicros),
    }
  }
  const missing = sales.margin(days).unknown
  expect(missing).toBeGreaterThan(0)
  for (const name of ['tacos', 'profit'] as const) {
    const note =
      name === 'tacos' ? null : `COGS missing on ${missing} ${missing === 1 ? 'product' : 'products'}: left out.`
    expect(cards.find(card => card.metric === name)).toMatchObject({
      value: of(days)[name],
      compared: of(over)[name],
      previous: of(before)[name],
      note,
    })
  }
}
