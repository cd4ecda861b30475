import { sql } from 'kysely'
import { z } from 'zod'
import { type ExchangeRates, shippedRates } from '#shared/exchange-rates.ts'
import { daysBetween, dayIn } from '#shared/time.ts'
import { raiseAllVersions } from '#server/db/tenant-version.ts'
import { UpstreamError } from '#server/http-client/upstream-errors.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { currentRates } from './public.ts'

/**
 * How far a rate may move from the previous one: a quarter, and two percent more for each day between them. A currency
 * that truly fell by more is accepted once enough days have passed, so a rejection never lasts.
 */
const maxChange = (days: number): number => 1.25 + 0.02 * days

/** The currencies whose rates moved further than rates do between the two days, or are gone. */
export function implausibleCurrencies(previous: ExchangeRates, next: ExchangeRates): string[] {
  const limit = maxChange(daysBetween(previous.day, next.day))
  return Object.entries(previous.perEuro).flatMap(([currency, before]) => {
    // The bank may stop publishing a currency that no marketplace uses.
    if (!(currency in shippedRates.perEuro)) return []
    const after = next.perEuro[currency]
    return after !== undefined && Math.max(after / before, before / after) <= limit ? [] : [currency]
  })
}

/**
 * Fetches the European Central Bank's newest reference rates and stores them by their day. Rates never go back to an
 * older day, and a table that cannot be true is left out. Without the bank the stored rates stay in use.
 */
export const refreshRates: JobDefinition<Record<string, never>> = defineJob({
  name: 'refresh-exchange-rates',
  data: z.object({}),
  policy: 'stately',
  retryLimit: 0,
  // The bank publishes at about 16:00 in Frankfurt on working days.
  cron: '20 * * * *',
  scheduledData: {},
  atStart: true,
  run: async ({ db, clock, integrations, log }) => {
    const current = await currentRates(db.system)
    let rates: ExchangeRates
    try {
      rates = await integrations.europeanCentralBank.latestRates()
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      log.warn({ err: error, ratesOf: current.day }, 'the exchange rates could not be refreshed')
      return
    }
    if (rates.day <= current.day) return
    if (rates.day > dayIn(clock.now(), 'Europe/Berlin'))
      return log.warn({ day: rates.day }, 'exchange rates of a day that has not come are left out')
    const implausible = implausibleCurrencies(current, rates)
    if (implausible.length)
      return log.warn({ day: rates.day, implausible }, 'exchange rates that cannot be true are left out')
    await db.transaction(async tx => {
      await sql`insert into exchange_rate (day, currency, per_euro)
        select ${rates.day}::date, u.*
        from unnest(${Object.keys(rates.perEuro)}::text[], ${Object.values(rates.perEuro)}::float8[]) as u
        on conflict do nothing`.execute(tx)
      // Every merchant's cached answers may carry converted money.
      await raiseAllVersions(tx)
    })
    log.info({ day: rates.day }, 'the exchange rates are refreshed')
  },
})

export const exchangeRateJobs = [refreshRates] as unknown as JobDefinition<never>[]
