import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { customerOf } from '#features/subscription/server/public.ts'
import type { Payments } from '#integrations/stripe/index.ts'
import type { Ctx, Services } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
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
async function trigger(services: Services, caller: Ctx, steps: number | null) {
  const { payments, killed } = doomed(services.integrations.payments, steps ?? -1)
  const ctx = { ...caller, integrations: { ...services.integrations, payments } }
  const outcome = await Promise.race([
    triggerBilling(ctx).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'UPSTREAM_UNAVAILABLE')) throw error
      return 'failed' as const
    }),
    killed,
  ])
  if (outcome === 'killed')
    await sql`update billing_run set leased_until = now() - interval '1 second' where account_id = ${caller.actor.accountId}
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

const calm = (): Trouble => 'none'
const troubles: Trouble[] = ['lost-reply', 'failure-500', 'down']

/** Lives through all months of an account, and answers what its invoices must be. */
async function live(world: World, account: FeeAccount): Promise<ModelBilling> {
  const { services, clock, chance, months, rates } = world
  const model = new ModelBilling()
  const caller = await callerOf(services, account.accountId)
  for (let next = 0; next < months.length; ) {
    // Now and then the server was off for longer than a month.
    const due = months.slice(next, next + chance.pick([1, 2, 3, 4]))
    const month = due.at(-1) ?? ''
    next += due.length
    clock.at = Date.parse(daysOfMonth(month).at(-1) ?? '') + 5 * DAY + (10 + chance.below(30)) * 3_600_000
    let isPaid = false
    for (const one of due) {
      const frozen = freezeModelMonth(one, account.profiles, account.phases, rates)
      isPaid = frozen.parts.length > 0 || frozen.included > 0n
      if (isPaid) model.close(frozen)
    }
    // Most processes are killed within the calls of one invoice; some live.
    for (let kills = chance.below(2) + chance.below(2); kills > 0; kills--) {
      if (chance.below(2)) world.disturb(() => (chance.below(6) ? 'none' : chance.pick(troubles)))
      await trigger(services, caller, chance.below(22))
      world.disturb(calm)
      if (chance.below(5) === 0) world.forgetKeys()
    }
    const both = chance.below(6) === 0
    let outcome = await (both
      ? Promise.all([trigger(services, caller, null), trigger(services, caller, null)]).then(([one]) => one)
      : trigger(services, caller, null))
    for (let tries = 0; outcome === 'failed' && tries < 3; tries++) {
      world.forgetKeys()
      outcome = await trigger(services, caller, null)
    }
    if (isPaid && !both && (due.length === 1 || model.invoices.has(month)))
      expect([month, outcome]).toEqual([
        month,
        model.invoices.has(month)
          ? { invoiceId: expect.any(String) }
          : expect.objectContaining({ skipped: expect.any(String) }),
      ])
    if (chance.below(3)) await restate(world, account, months.slice(Math.max(0, next - 4), next))
  }
  return model
}

/** The marketplace restates some days of one advertising account in one of these months. */
async function restate({ services, chance }: World, account: FeeAccount, months: readonly string[]): Promise<void> {
  const [month, profile] = [chance.pick(months), chance.pick(account.profiles)]
  const days = [...profile.spend].filter(([day]) => day.startsWith(month))
  for (const [day, micros] of days)
    if (chance.below(2)) profile.spend.set(day, (micros * BigInt(70 + chance.below(60))) / 100n)
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
  test('are exact to the cent, one a period, over 1,000 random periods with kills, lost replies and restatements', {
    timeout: 900_000,
  }, async () => {
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
    const { rows } = await sql<{
      kind: string
      n: number
    }>`select case when revision > 0 then 'correction' else state end as kind,
        count(*)::int as n from billing_run group by 1`.execute(services.db.system)
    const counts = Object.fromEntries(rows.map(({ kind, n }) => [kind, n]))
    expect((counts['INVOICED'] ?? 0) + (counts['CARRIED'] ?? 0)).toBeGreaterThanOrEqual(1000)
    expect(counts['INVOICED']).toBeGreaterThan(500)
    expect(counts['correction']).toBeGreaterThan(50)
    expect(counts['ISSUING']).toBeUndefined()
    const calls = ['find ad spend invoice', 'create ad spend invoice', 'find ad spend items', 'create ad spend item']
    calls.push('read customer', 'read ad spend invoice', 'finalize ad spend invoice')
    expect([...killPoints].sort()).toEqual(
      expect.arrayContaining(calls.flatMap(call => [`before ${call}`, `after ${call}`])),
    )
  })

  test('are the same at the emulated provider, with a card and without, under lost and failed calls', async () => {
    const { services: opened, sandbox } = await servicesWithOutside({ scenario: 'new-seller' })
    const clock = { at: 0, now: () => new Date(clock.at) }
    const services: Services = { ...opened, clock }
    closers.push(() => opened.close())
    const { payments } = services.integrations
    const chance = chanceOf(7)
    const months = monthsFrom('2027-01', 12)
    const faults = [
      { kind: 'drop-after' },
      { kind: 'drop-before' },
      { kind: 'status', status: 500 },
      { kind: 'status', status: 503 },
    ] as const
    const world: World = {
      services,
      clock,
      chance,
      months,
      rates: await addRates(services, chance, months),
      disturb: trouble => {
        sandbox.world.faults.clear()
        if (trouble === calm) return
        const match = { vendor: 'stripe', method: 'POST' }
        sandbox.world.faults.add({ match, skip: chance.below(5), times: 1 + chance.below(3), ...chance.pick(faults) })
      },
      forgetKeys: () => undefined,
    }
    const due: string[] = []
    for (const hasCard of [true, false, true]) {
      const account = await addFeeAccount(services, chance, months, null)
      const customer = await customerOf(services, account.accountId)
      if (hasCard) {
        const card = await payments.write('attach', `card-${customer}`, (stripe, once) =>
          stripe.paymentMethods.attach('pm_card_visa', { customer }, once),
        )
        await payments.write('default', `default-${customer}`, (stripe, once) =>
          stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } }, once),
        )
      }
      const model = await live(world, account)
      const invoices = await payments.read('list', stripe =>
        stripe.invoices.list({ customer, limit: 100 }).autoPagingToArray({ limit: 1000 }),
      )
      const issued: IssuedInvoice[] = []
      for (const { id, status, total, metadata } of invoices) {
        const lines = await payments.read('lines', stripe =>
          stripe.invoices.listLineItems(id, { limit: 100 }).autoPagingToArray({ limit: 1000 }),
        )
        const amounts = lines.map(line => line.amount)
        issued.push({ status, total, period: metadata?.['period'] ?? '', amounts })
      }
      expectInvoices(issued, model)
      for (const invoice of invoices) {
        expect([invoice.collection_method, invoice.auto_advance, typeof invoice.hosted_invoice_url]).toEqual([
          hasCard ? 'charge_automatically' : 'send_invoice',
          true,
          'string',
        ])
        due.push(invoice.id)
      }
    }
    expect(due.length).toBeGreaterThan(8)
    // The mirror has them without waiting for events.
    const mirrored = await services.db.system.selectFrom('invoice').select(['id', 'kind']).execute()
    expect(mirrored.map(({ id, kind }) => `${id} ${kind}`).sort()).toEqual(due.map(id => `${id} AD_SPEND`).sort())
  })
})
