import { sql } from 'kysely'
import { holdingsOf } from '#features/accounts/server/public.ts'
import { phasesOf } from '#features/subscription/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { leastChargeCents } from '#shared/ad-spend-fee.ts'
import { addDays, startOfDayIn } from '#shared/time.ts'
import { adSpendFee, closesAt, closingDayOf, type Month, monthOf } from '../../fee.ts'
import { type FigureState } from '#features/metrics/server/public.ts'
import { figureStatesOf, type MonthReading, readMonth, readSpends, type Stretch, toFeeStretches } from './read-month.ts'

/** Clicks are found invalid for three days: figures that were read later count as settled. */
const settlingDays = 3
/** How long a month that is closed waits for figures that do not come. What comes later is a correction. */
const patienceDays = 10
/** How far back restated figures are looked for: so many days back the marketplace makes reports. */
const restatedDays = 95
const dayMs = 86_400_000

/** Why an account's newest month is not frozen. */
export type NotFrozen = 'NO_PAID_DAYS' | 'NOT_CLOSED' | 'NOT_SETTLED'

/**
 * Freezes every month of an account that is closed and not frozen yet, the oldest first: spend, rates and fee, each month in
 * one transaction, and with it what restated figures changed of earlier months. A fee that is worth charging, with what was
 * carried to it, waits for its invoice from then on. Answers why the first month that is left stays open.
 */
export async function freezeClosedMonths(services: Services, accountId: number): Promise<NotFrozen> {
  const { db, clock } = services
  const now = clock.now()
  const phases = await phasesOf(db.system, accountId, new Date(0), now)
  const paid = phases.filter(one => one.isPaid).map(one => one.startsAt.getTime())
  if (!paid.length) return 'NO_PAID_DAYS'
  const frozen = await frozenMonths(db.system, accountId)
  // A day earlier: west of Greenwich the month before may still last.
  const today = now.toISOString().slice(0, 10)
  for (
    let month = monthOf(addDays(new Date(Math.min(...paid)).toISOString().slice(0, 10), -1));
    month.from <= today;
    month = monthOf(addDays(month.to, 1))
  ) {
    if (frozen.has(month.name)) continue
    const open = await freezeMonth(services, accountId, month)
    if (open) return open
  }
  return 'NOT_CLOSED'
}

async function freezeMonth(services: Services, accountId: number, month: Month): Promise<NotFrozen | null> {
  const { db, clock } = services
  const now = clock.now()
  if (closesAt(month, 'UTC').getTime() - dayMs > now.getTime()) return 'NOT_CLOSED'
  const reading = await readMonth(services, accountId, month, closingDayOf(month))
  // Months between two subscriptions, and those that only touch the first paid day in some time zone.
  if (!reading.stretches.length && reading.included.microDays === 0n) return null
  const closes = Math.max(...zonesOf(reading.stretches).map(zone => closesAt(month, zone).getTime()))
  if (now.getTime() < closes) return 'NOT_CLOSED'
  const waits = now.getTime() < closes + patienceDays * dayMs
  if (waits && reading.stretches.some(one => one.isHeld && !isSettled(month, one))) return 'NOT_SETTLED'
  const restated = await readRestatements(services, accountId, month)
  await db.transaction(async tx => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`billing ${accountId}`}, 0))`.execute(tx)
    // Another process may have been faster.
    if ((await frozenMonths(tx, accountId)).has(month.name)) return
    const fee = adSpendFee(reading.included, toFeeStretches(reading))
    const lines = toLines(reading).map((line, i) => ({ ...line, fee_cents: Number(fee.parts[i]?.feeCents) }))
    const run = { account_id: accountId, period: month.from, included_micro_days: Number(reading.included.microDays) }
    const runId = await insertRun(tx, { ...run, revision: 0, fee_cents: Number(fee.feeCents), frozen_at: now }, lines)
    for (const one of restated)
      await insertRun(tx, { ...one.run, account_id: accountId, fee_cents: one.difference, frozen_at: now }, one.lines)
    await claimCarried(tx, accountId, runId)
  })
  return null
}

const zonesOf = (stretches: readonly Stretch[]): string[] =>
  stretches.length ? [...new Set(stretches.map(one => one.timezone))] : ['UTC']

/** Whether an account's figures of the month were read after its clicks had settled. */
function isSettled(month: Month, { figures, timezone }: { figures: FigureState | null; timezone: string }): boolean {
  const settledAt = startOfDayIn(addDays(month.to, settlingDays + 1), timezone)
  return figures?.asOf != null && figures.to != null && figures.to >= month.to && new Date(figures.asOf) >= settledAt
}

async function frozenMonths(db: Db, accountId: number): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select to_char(period, 'YYYY-MM') as name from billing_run
    where account_id = ${accountId} and revision = 0`.execute(db)
  return new Set(rows.map(row => row.name))
}

function toLines({ stretches, rates }: MonthReading) {
  const fees = toFeeStretches({ stretches, rates })
  return stretches.map((one, i) => ({
    position: i,
    of_merchant: one.merchantId,
    profile_id: one.profileId,
    account_name: one.accountName,
    country_code: one.countryCode,
    currency: one.currency,
    from_day: one.from,
    to_day: one.to,
    plan_id: one.planId,
    minimum_taxable_micros: Number(one.minimumTaxableMicros),
    basis_points: Number(one.basisPoints),
    spend_micros: Number(one.spendMicros),
    rate_day: rates.day,
    own_rate: fees[i]?.rate ? Number(fees[i].rate.own) : null,
    usd_rate: fees[i]?.rate ? Number(fees[i].rate.usd) : 0,
  }))
}
type Line = ReturnType<typeof toLines>[number] & { fee_cents: number }

interface NewRun {
  account_id: number
  period: string
  revision: number
  included_micro_days: number
  fee_cents: number
  frozen_at: Date
}

async function insertRun(tx: Db, run: NewRun, lines: readonly Line[]): Promise<number> {
  const { id } = await tx
    .insertInto('billing_run')
    .values({ ...run, state: 'CARRIED' })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (lines.length)
    await tx
      .insertInto('billing_line')
      .values(lines.map(line => ({ ...line, run_id: id })))
      .execute()
  return id
}

/** Puts everything that is carried on the invoice of this run, if together it is worth charging. */
async function claimCarried(tx: Db, accountId: number, runId: number): Promise<void> {
  const carried = sql`account_id = ${accountId} and state = 'CARRIED' and invoiced_with is null`
  const { rows } = await sql<{ cents: number }>`select sum(fee_cents)::bigint as cents from billing_run
    where ${carried}`.execute(tx)
  const cents = rows[0]?.cents ?? 0
  if (cents < leastChargeCents) return
  await sql`update billing_run set invoiced_with = ${runId} where ${carried} and id <> ${runId}`.execute(tx)
  await sql`update billing_run set state = 'ISSUING', invoice_cents = ${cents} where id = ${runId}`.execute(tx)
}

interface Restatement {
  run: Pick<NewRun, 'period' | 'revision' | 'included_micro_days'>
  difference: number
  lines: Line[]
}

/**
 * What figures that came after earlier months were frozen change of their fees, at the rates, percentages and days that were
 * frozen. An advertising account that is no longer managed keeps its spend: its figures may be gone.
 */
async function readRestatements({ db }: Services, accountId: number, before: Month): Promise<Restatement[]> {
  const { rows } = await sql<{
    period: string
    revision: number
    includedMicroDays: number
    feeCents: number
    frozenAt: string
    lines: Line[]
  }>`select r.period, n.revision, r.included_micro_days as "includedMicroDays", n.fee_cents as "feeCents",
      n.frozen_at as "frozenAt", (select coalesce(jsonb_agg(to_jsonb(l) - 'run_id' order by l.position), '[]')
        from billing_line l where l.run_id = n.newest) as lines
    from billing_run r cross join lateral (select max(revision) as revision, sum(fee_cents)::bigint as fee_cents,
        max(frozen_at) as frozen_at, (array_agg(id order by revision desc))[1] as newest
      from billing_run o where o.account_id = r.account_id and o.period = r.period) n
    where r.account_id = ${accountId} and r.revision = 0 and r.period >= ${before.to}::date - ${restatedDays}::integer
      and r.period < ${before.from}
    order by r.period`.execute(db.system)
  const { profiles } = rows.length ? await holdingsOf(db, accountId) : { profiles: [] }
  const held = new Set(profiles.map(one => one.profileId))
  const places = rows.flatMap(({ lines, frozenAt }) =>
    lines.map(line => ({
      line,
      frozenAt: new Date(frozenAt),
      merchantId: line.of_merchant,
      profileId: line.profile_id,
      from: line.from_day,
      to: line.to_day,
    })),
  )
  const figures = await figureStatesOf(db, places)
  const read = places.filter(({ profileId, frozenAt }) => {
    const asOf = figures.get(profileId)?.asOf
    return held.has(profileId) && asOf != null && new Date(asOf) > frozenAt
  })
  const spends = await readSpends(db, read)
  const restated = new Map(read.map(({ line }, i) => [line, spends[i] ?? 0n]))
  return rows.flatMap(({ period, revision, includedMicroDays, feeCents, lines }) => {
    if (!lines.some(line => restated.has(line) && restated.get(line) !== BigInt(line.spend_micros))) return []
    const included = { microDays: BigInt(includedMicroDays), daysInMonth: monthOf(period).days }
    const fee = adSpendFee(
      included,
      lines.map(line => ({
        spendMicros: restated.get(line) ?? BigInt(line.spend_micros),
        basisPoints: BigInt(line.basis_points),
        rate: line.own_rate === null ? null : { own: BigInt(line.own_rate), usd: BigInt(line.usd_rate) },
      })),
    )
    const difference = Number(fee.feeCents) - feeCents
    if (difference === 0) return []
    const newLines = lines.map((line, i) => ({
      ...line,
      spend_micros: Number(restated.get(line) ?? line.spend_micros),
      fee_cents: Number(fee.parts[i]?.feeCents),
    }))
    return [
      { run: { period, revision: revision + 1, included_micro_days: includedMicroDays }, difference, lines: newLines },
    ]
  })
}
