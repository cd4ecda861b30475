import { sql } from 'kysely'
import type { Services } from '#server/context.ts'
import { type ModelPhase, type ModelPlan, type ModelProfile, type ModelRates, daysOfMonth } from './fee-model.ts'

/** A repeatable source of chance. */
export function chanceOf(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (n: number): number => Math.floor(next() * n)
  return { next, below, pick: <T>(from: readonly T[]): T => from[below(from.length)] as T }
}
export type Chance = ReturnType<typeof chanceOf>

export interface FeeAccount {
  accountId: number
  merchantId: number
  customer: string
  phases: ModelPhase[]
  profiles: ModelProfile[]
}

const plans: ModelPlan[] = [
  { id: 1, includedDollars: 1000n, basisPoints: 300n },
  { id: 2, includedDollars: 5000n, basisPoints: 250n },
  { id: 3, includedDollars: 20_000n, basisPoints: 200n },
]
const places = [
  { currency: 'USD', timezone: 'America/Los_Angeles', country: 'US', micros: 400_000_000 },
  { currency: 'EUR', timezone: 'Europe/Berlin', country: 'DE', micros: 300_000_000 },
  { currency: 'JPY', timezone: 'Asia/Tokyo', country: 'JP', micros: 90_000_000_000 },
  { currency: 'GBP', timezone: 'Europe/London', country: 'GB', micros: 200_000_000 },
  { currency: 'INR', timezone: 'Asia/Kolkata', country: 'IN', micros: 40_000_000_000 },
]
const DAY = 86_400_000

/** Months from a first one on, as `2026-01`. */
export const monthsFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => {
    const [year = 0, month = 1] = first.split('-').map(Number)
    return new Date(Date.UTC(year, month - 1 + i, 1)).toISOString().slice(0, 7)
  })

/** The central bank's rates of all working days of these months, and of the one after; stored. */
export async function addRates({ db }: Services, chance: Chance, months: readonly string[]): Promise<ModelRates> {
  const rates: ModelRates = new Map()
  const last = monthsFrom(months.at(-1) ?? '', 2)
  for (const day of [...months, ...last.slice(1)].flatMap(daysOfMonth)) {
    if ([0, 6].includes(new Date(day).getUTCDay())) continue
    const near = (middle: number, digits: number) => (middle * (0.9 + chance.next() / 5)).toFixed(digits)
    rates.set(day, { USD: near(1.13, 4), JPY: near(178, 2), GBP: near(0.85, 5), INR: near(108, 4) })
  }
  const rows = [...rates].flatMap(([day, table]) =>
    Object.entries({ ...table, EUR: '1' }).map(([currency, perEuro]) => ({ day, currency, perEuro })),
  )
  await sql`insert into exchange_rate (day, currency, per_euro) select day, currency, "perEuro"::float8
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(day date, currency text, "perEuro" text)
    on conflict do nothing`.execute(db.system)
  return rates
}

/** An account with several advertising accounts, with plans that change within months, and with its spend; stored. */
export async function addFeeAccount(
  services: Services,
  chance: Chance,
  months: readonly string[],
  customer: string | null,
): Promise<FeeAccount> {
  const { system } = services.db
  const begin = Date.parse(`${months[0]}-01T00:00Z`)
  const one = async (statement: ReturnType<typeof sql<{ id: number }>>) =>
    (await statement.execute(system)).rows[0]?.id ?? 0
  const accountId = await one(sql`insert into account (email, password_hash, first_name, last_name, account_type,
      email_verified_at, stripe_customer_id, created_at)
    values (${`${crypto.randomUUID()}@people.test`}, 'no log-in', 'Test', 'Person', 'SELLER', now(), ${customer}, ${new Date(begin)})
    returning id`)
  const merchantId = await one(sql`insert into merchant (name, account_type, region, selling_partner_id)
    values ('Seller', 'SELLER', 'NA', ${`A${crypto.randomUUID().slice(0, 12)}`}) returning merchant_id as id`)
  await sql`insert into membership (account_id, merchant_id, role) values (${accountId}, ${merchantId}, 'OWNER')`.execute(
    system,
  )
  const connection = await one(sql`insert into connection (merchant_id, kind, region, granted_by)
    values (${merchantId}, 'AMAZON_ADS', 'NA', ${accountId}) returning id`)
  const phases = phasesBetween(chance, begin, months.length)
  for (const [i, phase] of phases.entries())
    if (phase.plan)
      await sql`insert into subscription_phase (account_id, starts_at, ends_at, plan_id, is_paid) values (${accountId},
        ${new Date(phase.startsAt)}, ${phases[i + 1] ? new Date(phases[i + 1]?.startsAt ?? 0) : null}, ${phase.plan.id}, true)`.execute(
        system,
      )
  const profiles: ModelProfile[] = []
  for (const place of [...places].sort(() => chance.next() - 0.5).slice(0, 2 + chance.below(3))) {
    const basisPoints = chance.below(3) === 0 ? BigInt(50 + chance.below(400)) : null
    const id =
      await one(sql`insert into ads_profile (merchant_id, connection_id, amazon_profile_id, region, marketplace_id,
        country_code, currency, timezone, account_name, account_type, valid_payment_method, is_managed, managed_at, ad_spend_percentage)
      values (${merchantId}, ${connection}, ${String(chance.below(1e9))}, 'NA', 1, ${place.country}, ${place.currency},
        ${place.timezone}, 'Seller', 'SELLER', true, true, ${new Date(begin - 9 * DAY)}, ${basisPoints === null ? null : Number(basisPoints) / 100})
      returning id`)
    await sql`insert into metrics_state (merchant_id, profile_id, data_version, daily_as_of, daily_to)
      values (${merchantId}, ${id}, 1, '2199-01-01', '2199-01-01')`.execute(system)
    const spend = new Map<string, bigint>()
    for (const month of months)
      for (const day of daysOfMonth(month))
        if (chance.below(5) === 0) spend.set(day, BigInt(chance.below(place.micros * 3)))
    profiles.push({ id, currency: place.currency, timezone: place.timezone, basisPoints, spend })
  }
  const account = { accountId, merchantId, customer: customer ?? '', phases, profiles }
  await storeSpend(services, account)
  return account
}

// A trial, then plans that change at any moment, sometimes with a gap.
function phasesBetween(chance: Chance, begin: number, months: number): ModelPhase[] {
  const phases: ModelPhase[] = [{ plan: null, startsAt: begin }]
  let at = begin + chance.below(20 * 24) * 3_600_000
  while (at < begin + months * 31 * DAY) {
    const plan = chance.below(12) === 0 ? null : chance.pick(plans)
    if (plan !== phases.at(-1)?.plan) phases.push({ plan, startsAt: at })
    at += (4 + chance.below(60)) * DAY + chance.below(24 * 60) * 60_000
  }
  return phases
}

/** Stores the spend of the days of an account, or of one of its advertising accounts in one month, as running sums. */
export async function storeSpend(
  { db }: Services,
  { merchantId, profiles }: FeeAccount,
  only?: { profileId: number; month: string },
): Promise<void> {
  const rows = profiles.flatMap(({ id, spend }) =>
    [...Map.groupBy(spend, ([day]) => day.slice(0, 7))].flatMap(([month, days]) => {
      if (only && (only.profileId !== id || only.month !== month)) return []
      let sum = 0n
      return days
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([date, micros]) => ({ id, date, micros: String((sum += micros)) }))
    }),
  )
  if (only)
    await sql`delete from running_sum where merchant_id = ${merchantId} and profile_id = ${only.profileId}
      and date_trunc('month', date::timestamp) = ${`${only.month}-01`}::timestamp`.execute(db.system)
  await sql`insert into running_sum (merchant_id, profile_id, entity, date, key, impressions, clicks, cost_micros, sales_micros, orders, units)
    select ${merchantId}::bigint, id, 'profile', date, id, 0, 0, micros::bigint, 0, 0, 0
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id bigint, date date, micros text)`.execute(db.system)
}
