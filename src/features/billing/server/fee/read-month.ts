import { sql } from 'kysely'
import { holdingsOf } from '#features/accounts/server/public.ts'
import { ratesOn } from '#features/exchange-rates/server/public.ts'
import { type FigureState, figureStates, profileBreakdown } from '#features/metrics/server/public.ts'
import { phasesOf } from '#features/subscription/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Database } from '#server/db/open-database.ts'
import type { ExchangeRates } from '#shared/exchange-rates.ts'
import { dayIn } from '#shared/time.ts'
import {
  type FeeStretch,
  type IncludedSpend,
  includedIn,
  type Month,
  paidDaysOf,
  type PlanPhase,
  toRateUnits,
} from '../../fee.ts'

/** Days of one advertising account on one plan. */
export interface Stretch {
  merchantId: number
  profileId: number
  accountName: string
  countryCode: string
  currency: string
  timezone: string
  from: string
  to: string
  planId: number
  minimumTaxableMicros: bigint
  basisPoints: bigint
  /** Whether the account manages it today, so that newer figures may come. */
  isHeld: boolean
  /** How far its figures are; null when none were imported. */
  figures: FigureState | null
  spendMicros: bigint
}

export interface MonthReading {
  included: IncludedSpend
  stretches: Stretch[]
  rates: ExchangeRates
}

const basisPointsOf = (percentage: number): number => Math.round(percentage * 100)

interface ManagedDays
  extends Omit<Stretch, 'planId' | 'minimumTaxableMicros' | 'basisPoints' | 'figures' | 'spendMicros'> {
  basisPoints: number | null
}

/**
 * Notes which advertising accounts an account manages today. The notes of the last days are continued, so that a seller who
 * disconnects and connects again at the end of a month keeps its days.
 */
export async function noteProfiles({ db, clock }: Services, accountId: number): Promise<void> {
  const now = clock.now()
  const { profiles } = await holdingsOf(db, accountId)
  if (!profiles.length) return
  const notes = profiles.map(({ since, timezone, adSpendPercentage, ...profile }) => ({
    ...profile,
    timezone,
    basisPoints: adSpendPercentage === null ? null : basisPointsOf(adSpendPercentage),
    since: dayIn(since, timezone),
    today: dayIn(now, timezone),
  }))
  await sql`insert into billing_profile (account_id, of_merchant, profile_id, from_day, to_day, account_name, country_code,
      currency, timezone, basis_points)
    select ${accountId}::bigint, n."merchantId", n."profileId", coalesce((select max(p.from_day) from billing_profile p
        where p.account_id = ${accountId} and p.of_merchant = n."merchantId" and p.profile_id = n."profileId"
          and (p.to_day >= n.today - 2 or p.to_day >= n.since)), n.since),
      n.today, n."accountName", n."countryCode", n.currency, n.timezone, n."basisPoints"
    from jsonb_to_recordset(${JSON.stringify(notes)}::jsonb) as n("merchantId" bigint, "profileId" bigint, since date,
      today date, "accountName" text, "countryCode" text, currency text, timezone text, "basisPoints" integer)
    on conflict (account_id, of_merchant, profile_id, from_day) do update set
      to_day = greatest(billing_profile.to_day, excluded.to_day), account_name = excluded.account_name,
      currency = excluded.currency, timezone = excluded.timezone, basis_points = excluded.basis_points`.execute(
    db.system,
  )
}

/** The days of a range on which an account managed its advertising accounts; one that is managed today, until its end. */
async function managedDays(
  db: Database,
  accountId: number,
  range: { from: string; to: string },
): Promise<ManagedDays[]> {
  const { profiles } = await holdingsOf(db, accountId)
  const held = new Set(profiles.map(one => one.profileId))
  const { rows } = await sql<Omit<ManagedDays, 'isHeld'>>`select of_merchant as "merchantId", profile_id as "profileId",
      account_name as "accountName", country_code as "countryCode", currency, timezone, basis_points as "basisPoints",
      greatest(from_day, ${range.from}::date) as "from",
      case when row_number() over (partition by of_merchant, profile_id order by from_day desc) = 1
          and profile_id = any(${[...held]}::bigint[]) then ${range.to}::date
        else least(to_day, ${range.to}::date) end as "to"
    from billing_profile where account_id = ${accountId} and from_day <= ${range.to}
      and (to_day >= ${range.from} or profile_id = any(${[...held]}::bigint[]))
    order by of_merchant, profile_id, from_day`.execute(db.system)
  return rows.filter(row => row.from <= row.to).map(row => ({ ...row, isHeld: held.has(row.profileId) }))
}

const dayMs = 86_400_000

/** The plans of an account around a range of days, in whichever time zone. */
export async function planPhasesOf(
  { db }: Pick<Services, 'db'>,
  accountId: number,
  { from, to }: { from: string; to: string },
): Promise<PlanPhase[]> {
  const [start, end] = [Date.parse(`${from}T00:00Z`) - dayMs, Date.parse(`${to}T00:00Z`) + 2 * dayMs]
  const phases = await phasesOf(db.system, accountId, new Date(start), new Date(end))
  return phases.map(({ isPaid, startsAt, endsAt, planId, minimumTaxablePriceMicros, adSpendPercentage }) => ({
    isPaid,
    startsAt,
    endsAt,
    planId,
    minimumTaxableMicros: BigInt(minimumTaxablePriceMicros),
    basisPoints: BigInt(basisPointsOf(adSpendPercentage)),
  }))
}

/**
 * What the fee of a month is worked out from, by the figures that are imported: the paid days of an account's advertising
 * accounts, at the rates of a day. With a `range` of some days of the month, of these days only.
 */
export async function readMonth(
  services: Services,
  accountId: number,
  month: Month,
  ratesDay: string,
  range: { from: string; to: string } = month,
): Promise<MonthReading> {
  const { db } = services
  const phases = await planPhasesOf(services, accountId, range)
  const managed = phases.some(({ isPaid }) => isPaid) ? await managedDays(db, accountId, range) : []
  const paid = managed.flatMap(({ basisPoints, ...profile }) =>
    paidDaysOf(profile, profile.timezone, phases).map(days => ({
      ...profile,
      ...days,
      basisPoints: basisPoints === null ? days.basisPoints : BigInt(basisPoints),
    })),
  )
  const figures = await figureStatesOf(db, paid)
  const spends = await readSpends(db, paid)
  const stretches = paid.map((days, i) => ({
    ...days,
    figures: figures.get(days.profileId) ?? null,
    spendMicros: spends[i] ?? 0n,
  }))
  // A day ends at another time in each zone: the account gets the one in which its plans include most.
  const zones = new Set(['UTC', ...managed.map(one => one.timezone)])
  const included = [...zones]
    .map(zone => includedIn(month, paidDaysOf(range, zone, phases)))
    .reduce((most, one) => (one.microDays > most.microDays ? one : most))
  return { included, stretches, rates: await ratesOn(db.system, ratesDay) }
}

type Place = Pick<Stretch, 'merchantId' | 'profileId' | 'from' | 'to'>
const merchantsOf = (places: readonly Place[]): number[] => [...new Set(places.map(one => one.merchantId))]

/** How far the figures of advertising accounts are, by account; those without figures are missing. */
export async function figureStatesOf(db: Database, places: readonly Place[]): Promise<Map<number, FigureState>> {
  const merchantIds = merchantsOf(places)
  if (!merchantIds.length) return new Map()
  return db.reading(merchantIds, tx => figureStates(tx, merchantIds))
}

/** The ad spend of each place's days, of all ad types, in micros of its currency. */
export async function readSpends(db: Database, places: readonly Place[]): Promise<bigint[]> {
  const spends = new Map<Place, bigint>()
  for (const sameDays of Map.groupBy(places, ({ from, to }) => `${from} ${to}`).values()) {
    const [first] = sameDays
    if (!first) continue
    const merchantIds = merchantsOf(sameDays)
    const sums = await db.reading(merchantIds, tx => profileBreakdown(tx, sameDays, first.from, first.to))
    const byProfile = new Map(sums.map(one => [one.profileId, one.costMicros]))
    for (const place of sameDays) spends.set(place, BigInt(byProfile.get(place.profileId) ?? 0))
  }
  return places.map(place => spends.get(place) ?? 0n)
}

/** The stretches as the fee's formula takes them, at rates. */
export const toFeeStretches = ({ stretches, rates }: Pick<MonthReading, 'stretches' | 'rates'>): FeeStretch[] =>
  stretches.map(({ currency, spendMicros, basisPoints }) => {
    const own = rates.perEuro[currency]
    const rate = own === undefined ? null : { own: toRateUnits(own), usd: toRateUnits(rates.perEuro.USD ?? 0) }
    return { spendMicros, basisPoints, rate }
  })
