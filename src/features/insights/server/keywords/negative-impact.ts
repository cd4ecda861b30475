import type { EndpointOutput, EndpointParsed } from '#shared/define-endpoint.ts'
import { fromMicros } from '#shared/money.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { addDays, dayIn, daysBetween } from '#shared/time.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { accountNames } from '#features/auth/server/public.ts'
import {
  firstDay,
  type Freshness,
  type KeptAway,
  keptAwaySums,
  presentFreshness,
  profileFreshness,
} from '#features/metrics/server/public.ts'
import { keptDays } from '#integrations/amazon-ads/index.ts'
import { type GroupStandard, keywordStandards } from '#features/search-terms/server/public.ts'
import { type AddedNegative, addedNegatives } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import type { keywordEndpoints as endpoints, NegativeImpact } from '../../keyword-contract.ts'
import { savingConfig, savingOf } from '../../negative-saving.ts'
import { settledDays } from './keyword-rows.ts'

export type ImpactQuery = Omit<EndpointParsed<(typeof endpoints)['negativeImpact']>['query'], 'page' | 'size'>
type Sums = Awaited<ReturnType<typeof keptAwaySums>> extends Map<number, infer S> ? S : never

/** A page of the negatives with what each saved or redirected in the days of the range. */
export function listNegativeImpact(
  ctx: Ctx,
  query: EndpointParsed<(typeof endpoints)['negativeImpact']>['query'],
): Promise<EndpointOutput<(typeof endpoints)['negativeImpact']>> {
  const { page, size } = query
  return readAccount(ctx, async (tx, profile) => {
    const { rows, withoutDate, freshness, days } = await readImpact(tx, profile, query)
    const content = rows.slice(page * size, (page + 1) * size)
    return {
      content,
      page: pageInfo(page, size, rows.length),
      currency: profile.currency,
      days: days && { dateFrom: days.from, dateTo: days.to },
      withoutDate,
      freshness: presentFreshness(freshness),
    }
  })
}

interface Days {
  from: string
  to: string
}

/** All of them in order. */
export async function readImpact(tx: Db, profile: Profile, query: ImpactQuery) {
  const freshness = await profileFreshness(tx, profile)
  const days = impactDays(freshness, query)
  const { negatives, withoutDate } = await addedNegatives(tx, profile, savingConfig.mostNegatives)
  if (!days) return { rows: [], withoutDate, freshness, days }
  const from = await firstDay(tx, profile)
  const active = negatives
    .map(negative => ({ negative, addedOn: dayIn(negative.addedAt, profile.timezone) }))
    .filter(({ addedOn }) => addedOn <= days.to)
    .map(({ negative, addedOn }) => ({ negative, addedOn, away: keptAway(negative, addedOn, freshness) }))
  // What a negative keeps away is unknown where its days before were never imported.
  const comparable = active.filter(({ away, negative }) => away.before.from >= firstOf(negative, from))
  const rows = await impactOf(tx, profile, freshness, days, comparable)
  return { rows: inOrder(rows, query), withoutDate: withoutDate + active.length - comparable.length, freshness, days }
}

/** The first day with search terms of an ad type: the marketplace keeps fewer days of some than of others. */
function firstOf({ adType }: AddedNegative, from: string | null): string {
  const fewer = keptDays.SPONSORED_PRODUCTS - keptDays[adType as AdType]
  return from === null ? '' : addDays(from, fewer)
}

/** The days since a negative that count: to the last imported one, from the first requested one. */
function impactDays({ importedTo }: Freshness, { dateFrom, dateTo }: ImpactQuery): Days | null {
  if (importedTo === null) return null
  const to = dateTo !== undefined && dateTo < importedTo ? dateTo : importedTo
  return { from: dateFrom ?? '2000-01-01', to }
}

interface Active {
  negative: AddedNegative
  addedOn: string
  away: KeptAway
}

async function impactOf(
  tx: Db,
  profile: Profile,
  freshness: Freshness,
  days: Days,
  active: readonly Active[],
): Promise<NegativeImpact[]> {
  const sums = await keptAwaySums(
    tx,
    profile,
    active.map(({ away }) => away),
  )
  const groups = [...sums.values()].flatMap(({ adGroupId }) => adGroupId ?? [])
  const settled = settledDays(freshness, {})
  const standards = settled ? await keywordStandards(tx, profile, settled, [...new Set(groups)]) : new Map()
  const names = await accountNames(tx, [...new Set(active.flatMap(({ negative }) => negative.accountId ?? []))])
  return active.flatMap(({ negative, addedOn, away }) => {
    const found = sums.get(negative.id)
    if (!found) return []
    const standard = found.adGroupId === null ? undefined : standards.get(found.adGroupId)
    const from = addedOn > days.from ? addedOn : days.from
    const daysActive = Math.max(0, daysBetween(from, days.to) + 1)
    const addedBy = negative.accountId === null ? null : (names.get(negative.accountId) ?? null)
    return [present(negative, { away, found, standard, daysActive, addedBy })]
  })
}

function keptAway(negative: AddedNegative, addedOn: string, { movingFrom, importedTo }: Freshness): KeptAway {
  const lastSettled = addDays(movingFrom ?? addedOn, -1)
  const dayBefore = addDays(addedOn, -1)
  const to = dayBefore < lastSettled ? dayBefore : lastSettled
  const nowTo = importedTo ?? addedOn
  const monthAgo = addDays(nowTo, 1 - savingConfig.daysBefore)
  const dayAfter = addDays(addedOn, 1)
  return {
    id: negative.id,
    campaignId: negative.campaignId,
    adGroupId: negative.adGroupId,
    text: termOf(negative).toLowerCase(),
    isPhrase: negative.matchType === 'NEGATIVE_PHRASE',
    before: { from: addDays(to, 1 - savingConfig.daysBefore), to },
    now: { from: dayAfter > monthAgo ? dayAfter : monthAgo, to: nowTo },
  }
}

/** The term that it keeps away: a product is reported as its ASIN. */
function termOf({ text, expression }: AddedNegative): string {
  const [only, ...others] = expression ?? []
  return only?.type === 'ASIN_SAME_AS' && others.length === 0 ? String(only.value) : text
}

interface Found {
  away: KeptAway
  found: Sums
  standard: GroupStandard | undefined
  daysActive: number
  addedBy: string | null
}

function present(negative: AddedNegative, { away, found, standard, daysActive, addedBy }: Found): NegativeImpact {
  const { budgetMicros, accountId: _id, addedAt, ...row } = negative
  const nowDays = daysBetween(away.now.from, away.now.to) + 1
  const perDayBefore = found.campaignClicksBefore / savingConfig.daysBefore
  const trafficIndex = perDayBefore > 0 && nowDays > 0 ? found.campaignClicksNow / nowDays / perDayBefore : null
  const margin = standard?.breakEvenAcos ?? null
  const marginPercent = margin ?? savingConfig.assumedMargin
  const orderMicros = found.orders > 0 ? found.salesMicros / found.orders : (standard?.priceMicros ?? 0)
  const saving = savingOf({
    ...found,
    daysBefore: savingConfig.daysBefore,
    daysActive,
    trafficIndex,
    profitMicros: (orderMicros * marginPercent) / 100,
    budgetMicros,
  })
  return {
    ...row,
    addedAt: addedAt.toISOString(),
    addedBy,
    daysActive,
    before: {
      dateFrom: away.before.from,
      dateTo: away.before.to,
      days: savingConfig.daysBefore,
      terms: found.terms,
      clicks: found.clicks,
      orders: found.orders,
      cost: fromMicros(found.costMicros),
      sales: fromMicros(found.salesMicros),
    },
    trafficIndex,
    forgone: fromMicros(saving.forgone),
    marginPercent,
    isMarginAssumed: margin === null,
    savedLow: fromMicros(saving.low),
    saved: fromMicros(saving.middle),
    savedHigh: fromMicros(saving.high),
    isCapped: saving.isCapped,
  }
}

function inOrder(rows: NegativeImpact[], { sortBy, sortDir }: ImpactQuery): NegativeImpact[] {
  const keyOf = (row: NegativeImpact): number | string =>
    sortBy === 'cost' || sortBy === 'clicks' || sortBy === 'orders' ? row.before[sortBy] : row[sortBy]
  const sign = sortDir === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)]
    return left === right ? b.id - a.id : left < right ? -sign : sign
  })
}
