import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { Payments } from '#integrations/stripe/index.ts'
import type { Services } from '#server/context.ts'
import { UpstreamError } from '#server/http-client/upstream-errors.ts'
import { ModelBilling, daysOfMonth, freezeModelMonth, type ModelRates } from '../../../../../tests/support/fee-model.ts'
import {
  addFeeAccount,
  addRates,
  type Chance,
  chanceOf,
  type FeeAccount,
  monthsFrom,
  storeSpend,
} from '../../../../../tests/support/fee-world.ts'
import { servicesWithOutside } from '../../../../../tests/support/outside.ts'
import { PaymentStandIn, type Trouble } from '../../../../../tests/support/payment-stand-in.ts'
import { callerOf } from '../../../../../tests/support/people.ts'
import { testServices } from '../../../../../tests/support/services.ts'
import { triggerBilling } from './bill-account.job.ts'

const DAY = 86_400_000
const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers) await close()
})

const never = new Promise<never>(() => undefined)
/** The points at which processes were killed: each call, before and after it. */
const killPoints = new Set<string>()

/** The door to the provider in a process that is killed at its n-th step. */
function doomed(payments: Payments, steps: number): { payments: Payments; killed: Promise<'killed'> } {
  let left = steps
  const { promise: killed, resolve } = Promise.withResolvers<'killed'>()
  const step = async (operation: string, when: 'before' | 'after') => {
    if (left-- !== 0) return
    killPoints.add(`${when} ${operation}`)
    resolve('killed')
    await never
  }
  const around = async <T>(operation: string, call: () => Promise<T>): Promise<T> => {
    await step(operation, 'before')
    const value = await call()
    await step(operation, 'after')
    return value
  }
  return {
    killed,
    payments: {
      isOn: true,
      read: (operation, send) => around(operation, () => payments.read(operation, send)),
      write: (operation, key, send) => around(operation, () => payments.write(operation, key, send)),
      readEvent: (body, signature) => payments.readEvent(body, signature),
    },
  }
}

/** Bills an account as a process would that may be killed; another one takes over once its lease has run out. */
async function trigger(services: Services, account: FeeAccount, steps: number | null) {
  const { payments, killed } = doomed(services.integrations.payments, steps ?? -1)
  const ctx = await callerOf({ ...services, integrations: { ...services.integrations, payments } }, account.accountId)
  const outcome = await Promise.race([
    triggerBilling(ctx).catch((error: unknown) => {
      if (!(error instanceof UpstreamError)) throw error
      return 'failed' as const
    }),
    killed,
  ])
  if (outcome === 'killed')
    await sql`update billing_run set leased_until = now() - interval '1 second' where account_id = ${account.accountId}
      and leased_until is not null`.execute(services.db.system)
  return outcome
}

interface World {
  services: Services
  clock: { at: number }
  chance: Chance
  rates: ModelRates
  months: string[]
  /** Sets what happens around writes. */
  disturb: (trouble: () => Trouble) => void
  /** A day passes: the provider forgets its keys. */
  forgetKeys: () => void
}

const troubles: Trouble[] = ['lost-reply', 'failure-500', 'down']

/** Lives through all months of an account, and answers what its invoices must be. */
async function live(world: World, account: FeeAccount): Promise<ModelBilling> {
  const { services, clock, chance, months, rates } = world
  const model = new ModelBilling()
  for (const [at, month] of months.entries()) {
    clock.at = Date.parse(daysOfMonth(month).at(-1) ?? '') + 5 * DAY + (10 + chance.below(30)) * 3_600_000
    const frozen = freezeModelMonth(month, account.profiles, account.phases, rates)
    const isPaid = frozen.parts.length > 0 || frozen.included > 0n
    if (isPaid) model.close(frozen)
    // Most processes are killed within the calls of one invoice; some live.
    for (let kills = chance.below(3); kills > 0; kills--) {
      if (chance.below(2)) world.disturb(() => (chance.below(6) ? 'none' : chance.pick(troubles)))
      await trigger(services, account, chance.below(22))
      world.disturb(() => 'none')
      if (chance.below(5) === 0) world.forgetKeys()
    }
    const both = chance.below(6) === 0
    let outcome = await (both
      ? Promise.all([trigger(services, account, null), trigger(services, account, null)]).then(([one]) => one)
      : trigger(services, account, null))
    for (let tries = 0; outcome === 'failed' && tries < 3; tries++) {
      world.forgetKeys()
      outcome = await trigger(services, account, null)
    }
    if (isPaid && !both)
      expect([month, outcome]).toEqual([
        month,
        model.invoices.has(month) ? { invoiceId: expect.any(String) } : expect.objectContaining({ skipped: expect.any(String) }),
      ])
    if (chance.below(3) === 0) await restate(world, account, months.slice(Math.max(0, at - 3), at + 1))
  }
  return model
}

/** The marketplace restates some days of one advertising account in one of these months. */
async function restate({ services, chance }: World, account: FeeAccount, months: readonly string[]): Promise<void> {
  const [month, profile] = [chance.pick(months), chance.pick(account.profiles)]
  const days = [...profile.spend].filter(([day]) => day.startsWith(month))
  for (const [day, micros] of days) if (chance.below(2)) profile.spend.set(day, (micros * BigInt(70 + chance.below(60))) / 100n)
  await storeSpend(services, account, { profileId: profile.id, month })
}

interface IssuedInvoice {
  status: string | null
  total: number
  period: string
  amounts: number[]
}
const ascending = (amounts: readonly number[]): number[] => [...amounts].sort((a, b) => a - b)

function expectInvoices(issued: readonly IssuedInvoice[], model: ModelBilling): void {
  const expected = [...model.invoices].map(([month, amounts]) => ({
    period: `${month}-01`,
    total: Number(amounts.reduce((all, one) => all + one, 0n)),
    amounts: ascending(amounts.map(Number)),
  }))
  const found = issued.map(({ period, total, amounts }) => ({ period, total, amounts: ascending(amounts) }))
  expect(found.sort((a, b) => (a.period < b.period ? -1 : 1))).toEqual(expected)
  expect(issued.filter(({ status }) => status === 'draft')).toEqual([])
  for (const { total, amounts } of issued) expect(amounts.reduce((all, one) => all + one, 0)).toBe(total)
}

describe('the invoices of ad spend', () => {
  test('are exact to the cent, one a period, over 1,000 random periods with kills, lost replies and restatements', async () => {
    const payments = new PaymentStandIn()
    const clock = { at: 0, now: () => new Date(clock.at) }
    const services = await testServices({ clock, integrations: { payments } })
    closers.push(() => services.close())
    const chance = chanceOf(20_261_123)
    const months = monthsFrom('2027-01', 25)
    const world: World = {
      services,
      clock,
      chance,
      months,
      rates: await addRates(services, chance, months),
      disturb: trouble => (payments.trouble = trouble),
      forgetKeys: () => payments.forgetKeys(),
    }
    for (let n = 0; n < 44; n++) {
      const account = await addFeeAccount(services, chance, months, `cus_${n}`)
      const model = await live(world, account)
      const issued = (payments.invoices.get(account.customer) ?? []).map(invoice => ({
        status: invoice.status,
        total: invoice.total,
        period: invoice.metadata['period'] ?? '',
        amounts: invoice.items.map(item => item.amount),
      }))
      expectInvoices(issued, model)
    }
    const { rows } = await sql<{ kind: string; n: number }>`select case when revision > 0 then 'correction' else state end as kind,
        count(*)::int as n from billing_run group by 1`.execute(services.db.system)
    const counts = Object.fromEntries(rows.map(({ kind, n }) => [kind, n]))
    console.info(counts, [...killPoints].sort(), (await sql`select count(distinct currency) as n from billing_line`.execute(services.db.system)).rows)
    expect((counts['INVOICED'] ?? 0) + (counts['CARRIED'] ?? 0)).toBeGreaterThanOrEqual(1000)
    expect(counts['INVOICED']).toBeGreaterThan(500)
    expect(counts['correction']).toBeGreaterThan(100)
    expect(counts['ISSUING']).toBeUndefined()
    const calls = ['find ad spend invoice', 'create ad spend invoice', 'find ad spend items', 'create ad spend item']
    calls.push('read customer', 'read ad spend invoice', 'finalize ad spend invoice')
    expect([...killPoints].sort()).toEqual(
      expect.arrayContaining(calls.flatMap(call => [`before ${call}`, `after ${call}`])),
    )
  }, 120_000)
})
