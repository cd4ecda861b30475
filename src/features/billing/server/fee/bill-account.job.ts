import { sql } from 'kysely'
import { z } from 'zod'
import { accountsPaidSince } from '#features/subscription/server/public.ts'
import type { Ctx, Services } from '#server/context.ts'
import { toUpstreamProblem } from '#server/http-client/upstream-errors.ts'
import { defineJob, defineScheduledJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { leastChargeCents } from '#shared/ad-spend-fee.ts'
import type { SkippedReason } from '../../fee-contract.ts'
import { freezeClosedMonths } from './freeze-months.ts'
import { issueRun } from './issue-run.ts'
import { noteProfiles } from './read-month.ts'
import { moneyText } from '#shared/money.ts'

interface Newest {
  id: number
  state: 'CARRIED' | 'ISSUING' | 'INVOICED'
  invoiceId: string | null
  feeCents: number
}

/**
 * Charges an account's closed months: freezes those that are not frozen, and makes the invoices that are due, the oldest
 * first. Answers the newest invoice that it made, or else how its newest month stands.
 */
async function billAccount(
  services: Services,
  accountId: number,
): Promise<{ invoiceId: string } | { skipped: SkippedReason }> {
  const { db } = services
  await noteProfiles(services, accountId)
  const open = await freezeClosedMonths(services, accountId)
  const { rows: due } = await sql<{ id: number }>`select id from billing_run
    where account_id = ${accountId} and state = 'ISSUING' order by period`.execute(db.system)
  let invoiceId: string | null = null
  for (const { id } of due) invoiceId = (await issueRun(services, id)) ?? invoiceId
  if (invoiceId !== null) return { invoiceId }
  const { rows } = await sql<Newest>`select id, state, invoice_id as "invoiceId", fee_cents as "feeCents"
    from billing_run where account_id = ${accountId} and revision = 0 order by period desc limit 1`.execute(db.system)
  const [newest] = rows
  // Of what is not closed yet nothing is charged; of what is, the answer is always the same.
  if (!newest || open === 'NOT_SETTLED') return { skipped: open }
  if (newest.invoiceId !== null) return { invoiceId: newest.invoiceId }
  if (newest.state === 'ISSUING') return { skipped: 'IN_PROGRESS' }
  return { skipped: newest.feeCents === 0 ? 'NO_FEE' : 'BELOW_MINIMUM' }
}

const messages: Record<Exclude<SkippedReason, 'BELOW_MINIMUM'>, string> = {
  NO_PAID_DAYS: 'There is nothing to charge: no month on a paid plan has ended yet.',
  NOT_CLOSED: 'There is nothing to charge yet: a month closes four days after its end.',
  NOT_SETTLED: 'The figures of the last month are not complete yet. It is charged as soon as they are.',
  NO_FEE: 'There is nothing to charge: the ad spend of the last month was within what your plan includes.',
  IN_PROGRESS: 'The invoice of the last month is being made. It will be here in a moment.',
}

const messageOf = (reason: SkippedReason): string =>
  reason === 'BELOW_MINIMUM'
    ? `The fee of the last month is below ${moneyText(leastChargeCents * 10_000, 'USD')}. It goes to the next invoice.`
    : messages[reason]

/**
 * Charges the caller's own closed months now instead of at the next hour. However often it is called, a month is charged
 * once. Throws UPSTREAM_UNAVAILABLE if the payment provider cannot be reached: nothing is lost, a later call or the next hour continues.
 */
export async function triggerBilling(ctx: Ctx) {
  const { accountId } = ctx.actor
  const outcome = await billAccount(ctx, accountId).catch((error: unknown) => {
    throw toUpstreamProblem(error)
  })
  if ('invoiceId' in outcome) return outcome
  const { rows } = await sql<{ cents: number | null }>`select sum(fee_cents)::bigint as cents from billing_run
    where account_id = ${accountId} and state = 'CARRIED' and invoiced_with is null`.execute(ctx.db.system)
  return { ...outcome, message: messageOf(outcome.skipped), carriedForward: (rows[0]?.cents ?? 0) / 100 }
}

/** Charges the closed months of one account. */
const billAccountJob = defineJob({
  name: 'bill-ad-spend',
  data: z.object({ accountId: z.number() }),
  policy: 'stately',
  run: async (services, { accountId }) => {
    const outcome = await billAccount(services, accountId)
    services.log.info({ accountId, ...outcome }, 'ad spend is billed')
  },
})

/** For so long after its last paid day an account is looked at: its last month closes, and invoices are made, within. */
const lookedAtDays = 60

/** Every hour, bills each account with a paid plan, and notes which advertising accounts it manages. */
const billAdSpend = defineScheduledJob({
  name: 'bill-ad-spend-of-all',
  policy: 'stately',
  cron: '37 * * * *',
  atStart: true,
  run: async ({ db, jobs, clock }) => {
    const since = new Date(clock.now().getTime() - lookedAtDays * 86_400_000)
    for (const accountId of await accountsPaidSince(db.system, since))
      await db.transaction(tx => jobs.send(tx, billAccountJob, { accountId }, { key: String(accountId) }))
  },
})

export const feeJobs = [billAccountJob, billAdSpend] as unknown as JobDefinition<never>[]
