import { convertMicros } from '#shared/exchange-rates.ts'
import { addDays, dayIn, daysOf } from '#shared/time.ts'
import { type Holdings, holdingsOf } from '#features/accounts/server/public.ts'
import { currentRates } from '#features/exchange-rates/server/public.ts'
import { profileDays } from '#features/metrics/server/public.ts'
import type { Database } from '#server/db/open-database.ts'
import { overLimitDays, type PlanUsage, spendDays } from '../rules.ts'

/** What an account owns and what its advertising accounts spent lately, in USD. Spend that cannot be converted is left out. */
export async function planUsageOf(db: Database, accountId: number, now: Date): Promise<PlanUsage> {
  const { merchants, profiles } = await holdingsOf(db, accountId)
  const to = dayIn(now, 'UTC')
  const from = addDays(to, -(spendDays + overLimitDays))
  const spent = new Map(daysOf(from, to).map(date => [date, 0]))
  for (const profile of profiles)
    for (const { date, micros } of await spendOf(db, profile, from, to))
      spent.set(date, (spent.get(date) ?? 0) + micros)
  return {
    merchants: merchants.map(one => one.since),
    profiles: profiles.map(one => one.since),
    spendMicros: [...spent].map(([date, micros]) => ({ date, micros })),
  }
}

async function spendOf(
  db: Database,
  { merchantId, profileId, currency }: Holdings['profiles'][number],
  from: string,
  to: string,
) {
  const rates = await currentRates(db.system)
  const days = await db.reading(merchantId, tx => profileDays(tx, merchantId, [profileId], from, to))
  return days.map(({ date, costMicros }) => ({ date, micros: convertMicros(costMicros, currency, 'USD', rates) ?? 0 }))
}
