import { type FigureSums, toFigures } from '#shared/metrics.ts'
import { pickFields } from '#shared/fields.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import {
  freshnessOf,
  presentFreshness,
  adGroupDays,
  campaignDays,
  profileFreshness,
} from '#features/metrics/server/public.ts'
import { type EditableEntity, entities, type Rows } from '#features/structure/contract.ts'
import type { Ctx } from '#server/context.ts'
import { type Listing, matchingIds, shownRows } from '../sql/listing.ts'
import { type PageOptions, readPage } from '../sql/read-page.ts'
import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Db } from '#server/db/tables.ts'
import type { CampaignChart } from '../../contract.ts'
import { idExists } from '#features/structure/server/public.ts'

type ListRequest = Omit<PageOptions, 'from' | 'to'> & { dateFrom?: string | undefined; dateTo?: string | undefined }

/** The requested days; the last 30 of the account’s calendar when there are none. */
export function rangeOf(ctx: Ctx, profile: Profile, request: Pick<ListRequest, 'dateFrom' | 'dateTo'>) {
  const to = request.dateTo ?? dayIn(ctx.clock.now(), profile.timezone)
  return { from: request.dateFrom ?? addDays(to, -29), to }
}

/** A page of one kind of rows of the current account, in the envelope that all lists with figures share. */
export async function listFigures<E extends EditableEntity>(ctx: Ctx, request: ListRequest, listing: Listing<E>) {
  const { profile, range, found } = await readAccount(ctx, async (tx, account) => {
    const days = rangeOf(ctx, account, request)
    return { profile: account, range: days, found: await readPage(tx, account, listing, { ...request, ...days }) }
  })
  return {
    content: presentRows(listing.entity, found.rows, profile.currency),
    page: pageInfo(request.page, request.size, found.total),
    currency: profile.currency,
    dateFrom: range.from,
    dateTo: range.to,
    totals: toFigures(found.totals),
    freshness: presentFreshness(freshnessOf(found.state, profile.accountType)),
  }
}

function presentRows<E extends EditableEntity>(entity: E, rows: readonly (Rows[E] & FigureSums)[], currency: string) {
  const names = Object.keys(entities[entity].fields)
  // The select list names the same fields as the type.
  return rows.map(row => ({ ...(pickFields(row, names) as Rows[E]), currency, ...toFigures(row) }))
}

interface DayRange {
  dateFrom?: string | undefined
  dateTo?: string | undefined
}

/** The figures of all rows that match, a point for every day of the range. */
export async function chartFigures(
  ctx: Ctx,
  request: DayRange,
  listing: Listing<'campaign' | 'adGroup'>,
): Promise<CampaignChart> {
  return readAccount(ctx, (tx, profile) => readChart(ctx, tx, profile, request, listing))
}

/** The figures of one ad group. Throws NOT_FOUND when the current account has none of this id. */
export async function chartAdGroup(ctx: Ctx, id: number, request: DayRange): Promise<CampaignChart> {
  return readAccount(ctx, async (tx, profile) => {
    if (!(await idExists(tx, 'adGroup', profile, id))) throw new AppError('NOT_FOUND', 'There is no such ad group.')
    const listing = { entity: 'adGroup', filters: [sql`t.id = ${id}`], conditions: [], few: true } as const
    return readChart(ctx, tx, profile, request, listing)
  })
}

async function readChart(
  ctx: Ctx,
  tx: Db,
  profile: Profile,
  request: DayRange,
  listing: Listing<'campaign' | 'adGroup'>,
): Promise<CampaignChart> {
  const { from, to } = rangeOf(ctx, profile, request)
  const isAll = listing.isWhole && !listing.conditions.length
  const some = listing.few ? matchingIds(profile, listing, from, to) : { shown: shownRows(profile, listing, from, to) }
  const read = listing.entity === 'campaign' ? campaignDays : adGroupDays
  const days = await read(tx, profile, isAll ? null : some, from, to)
  return {
    currency: profile.currency,
    dateFrom: from,
    dateTo: to,
    freshness: presentFreshness(await profileFreshness(tx, profile)),
    points: days.map(({ date, ...sums }) => ({ date, ...toFigures(sums) })),
  }
}
