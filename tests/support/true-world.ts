import { sql } from 'kysely'
import * as v from 'valibot'
import { expect } from 'vitest'
import { selectProfile } from '#features/accounts/server/current-choice.ts'
import { importDays, ReportNotReady } from '#features/metrics/server/public.ts'
import { importStructure } from '#features/structure/server/public.ts'
import type { Fact } from '#sandbox/market/market.ts'
import { scenarios } from '#sandbox/scenarios/scenarios.ts'
import type { Ctx } from '#server/context.ts'
import type { Route } from '#server/http/route.ts'
import type { JobDefinition } from '#server/jobs/define-job.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import type { Endpoint } from '#shared/define-endpoint.ts'
import { type Figures, type FigureSums, measuredNames, type Ratios, toFigures } from '#shared/metrics.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { bookedBy } from './books.ts'
import { type ConnectedSeller, connectSeller } from './connected-seller.ts'
import { servicesWithOutside } from './outside.ts'
import { callerOf } from './people.ts'

export const trueCountries = [
  { country: 'US', sellerId: 'A1HARBORLANEUS', regionId: 1 },
  { country: 'DE', sellerId: 'A2NORDHAFENDE1', regionId: 2 },
  { country: 'JP', sellerId: 'A3MINATOSHOJI1', regionId: 3 },
] as const

export interface Days {
  from: string
  to: string
}
export type FigureRow = Figures & Ratios & Record<string, unknown>
export interface FigurePage {
  content: FigureRow[]
  page: { totalPages: number }
  totals: Figures & Ratios
}

const HOUR_MS = 3_600_000
export const signal = new AbortController().signal
export const quiet = { signal, onProgress: async () => undefined }

/**
 * One user with three merchants (dollars, euros and yen), as an agency has them, beside the marketplace's own books. Time
 * only moves by `pass` and `moveTo`.
 */
export async function openTrueWorld(startsAt: Date, jobs: readonly JobDefinition<never>[]) {
  const opened = await servicesWithOutside({ scenario: 'true', scenarios: { true: withPaidViews }, startsAt, jobs })
  const { world } = opened.sandbox
  const services = { ...opened.services, clock: world.clock }
  const sellers = new Map<string, ConnectedSeller>()
  const sellerOf = (country: string) => sellers.get(country) ?? expect.unreachable()
  const profileOf = (country: string) => sellerOf(country).profiles[0] ?? expect.unreachable()
  for (const { country, sellerId, regionId } of trueCountries) {
    const account = { login: 'agency@sandbox.test', sellerId, regionId, countries: [country] }
    const seller = await connectSeller(services, {
      ...account,
      ...(sellers.size && { accountId: sellerOf('US').accountId }),
    })
    sellers.set(country, seller)
    await importStructure(services, profileOf(country), quiet)
  }

  type PullOptions = Partial<Parameters<typeof importDays>[2]>
  const pull = (country: string, { from, to }: Days, more: PullOptions = {}) =>
    importDays(services, profileOf(country), { from, to, ...quiet, ...more })
  /** As a job does it, that comes back when a report is not ready or another pull was faster. */
  const pullAgain = async (country: string, days: Days): Promise<void> => {
    for (;;)
      try {
        return await pull(country, days)
      } catch (error) {
        if (!(error instanceof ReportNotReady)) throw error
      }
  }
  const workIn = async (country: string): Promise<void> => {
    const seller = sellerOf(country)
    await selectProfile(seller.ctx, profileOf(country).amazonProfileId)
    sellers.set(country, { ...seller, ctx: await callerOf(services, seller.accountId) })
  }

  /** What a call answers in the shop of a country; `workIn` must have chosen it. */
  const answer = async <T>(country: string, routes: readonly Route[], endpoint: Endpoint, request: object) => {
    const route = routes.find(one => one.endpoint === endpoint) ?? expect.unreachable()
    const query = endpoint.query && v.parse(endpoint.query as v.GenericSchema, request)
    const ctx: Ctx = { ...sellerOf(country).ctx, clock: services.clock }
    return (await route.handler(ctx as never, { query } as never)) as T
  }
  const allRows = async <P extends { content: unknown[]; page: { totalPages: number } } = FigurePage>(
    country: string,
    routes: readonly Route[],
    endpoint: Endpoint,
    request: object,
  ): Promise<P> => {
    const rows: P['content'] = []
    for (let page = 0; ; page++) {
      const one = await answer<P>(country, routes, endpoint, { ...request, page, size: 100 })
      rows.push(...one.content)
      if (page + 1 >= one.page.totalPages) return { ...one, content: rows }
    }
  }
  const books = (country: string, days: Days, keyOf: (fact: Fact, adType: AdType) => string | null, types?: AdType[]) =>
    bookedBy(world, profileOf(country).amazonProfileId, days, keyOf, types)
  /** Our ids of rows, with the marketplace's. */
  const amazonIds = async (country: string, table: 'campaign' | 'ad_group'): Promise<Map<number, string>> => {
    const { rows } = await sql<{ id: number; amazonId: string }>`select id, amazon_id as "amazonId"
      from ${sql.table(table)} where merchant_id = ${sellerOf(country).merchantId}`.execute(services.db.system)
    return new Map(rows.map(row => [row.id, row.amazonId]))
  }

  return {
    services,
    world,
    profileOf,
    callerOf: (country: string): Ctx => ({ ...sellerOf(country).ctx, clock: services.clock }),
    today: (country: string) => dayIn(services.clock.now(), profileOf(country).timezone),
    pass: (hours: number) => world.clock.advance(hours * HOUR_MS),
    moveTo: (moment: Date) => world.clock.advance(Math.max(0, moment.getTime() - world.clock.now().getTime())),
    pull,
    pullAgain,
    workIn,
    answer,
    allRows,
    books,
    amazonIds,
    close: () => opened.services.close(),
  }
}
export type TrueWorld = Awaited<ReturnType<typeof openTrueWorld>>

/** Some displays are paid for by views, whose orders count without a click; and stock lasts into autumn. */
function withPaidViews(start: Parameters<(typeof scenarios)['small']>[0]) {
  const scenario = (scenarios['small'] ?? expect.unreachable())(start)
  const { displayCampaigns, displayAdGroups, products } = scenario.store
  for (const [key, product] of products) products.set(key, { ...product, fulfillable: 100_000 })
  const seen = new Set<number>()
  for (const [id, campaign] of displayCampaigns) {
    if (seen.has(campaign.profileId)) continue
    seen.add(campaign.profileId)
    displayCampaigns.set(id, { ...campaign, costType: 'VCPM' })
    for (const [groupId, group] of displayAdGroups)
      if (group.campaignId === id)
        displayAdGroups.set(groupId, {
          ...group,
          bidOptimization: 'REACH',
          defaultBidMicros: 20 * group.defaultBidMicros,
        })
  }
  return scenario
}

export const measured = (row: Figures): Figures =>
  Object.fromEntries(measuredNames.map(name => [name, row[name]])) as unknown as Figures

/** The figures of rows that have any, by key; a key that comes twice fails. */
export function shown<R extends Figures>(rows: readonly R[], keyOf: (row: R) => string): Record<string, Figures> {
  const found: Record<string, Figures> = {}
  for (const row of rows) {
    if (measuredNames.every(name => row[name] === 0)) continue
    expect(found[keyOf(row)]).toBeUndefined()
    found[keyOf(row)] = measured(row)
  }
  return found
}
/** The same of the marketplace's own sums. */
export const booked = (sums: ReadonlyMap<string, FigureSums>): Record<string, Figures> =>
  Object.fromEntries(
    [...sums].flatMap(([key, one]) => {
      const figures = measured(toFigures(one))
      return measuredNames.some(name => figures[name] !== 0) ? [[key, figures]] : []
    }),
  )

export const daysIn = ({ from, to }: Days): string[] => {
  const all: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) all.push(day)
  return all
}
