import type { Stripe } from '#integrations/stripe/index.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '#server/context.ts'
import { addAccount } from '../../../../../tests/support/people.ts'
import { type PaidLife, recordLife } from '../../../../../tests/support/paid-life.ts'
import { servicesWithOutside } from '../../../../../tests/support/outside.ts'
import { billingJobs } from '../jobs.ts'
import { applyEvents } from './apply-events.job.ts'
import { type EventObject, objectOfType, paymentEvent } from './event-kinds.ts'
import { fetchMissedEvents } from './fetch-missed.job.ts'
import { storeEvent } from './receive-event.ts'

// A subscription's life is recorded once from the emulated provider. Each order then replays it: the provider moves on, events
// come late, twice, in another order or never, reads are overtaken by others, and the provider fails now and then. Everything
// that is random depends on the number of the order alone.

const orders = 200
let outside: Awaited<ReturnType<typeof servicesWithOutside>>
let life: PaidLife
let accountId = 0

beforeAll(async () => {
  outside = await servicesWithOutside({ startsAt: new Date('2026-03-01T12:00:00Z'), jobs: billingJobs })
  accountId = await addAccount(outside.services)
  life = await recordLife(outside, accountId)
})
afterAll(async () => {
  await outside.services.close()
})

function randomOf(seed: number) {
  let state = seed * 2_654_435_761
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return { below: (n: number) => Math.floor(fraction() * n), happens: (share: number) => fraction() < share }
}

/** One order: the services as the jobs see them, with the provider at `now` and a queue that the test works on. */
function createReplay(seed: number) {
  const random = randomOf(seed)
  const queue = new Map<string, { object: EventObject; id: string }>()
  const announced: string[] = []
  const state = { now: 0, isCalm: false }
  const noSignal = new AbortController().signal
  const deliveries = life.events.flatMap(event => {
    // One in five is lost, one in five comes twice.
    const times = random.happens(0.2) ? 0 : random.happens(0.25) ? 2 : 1
    return Array.from({ length: times }, () => event)
  })
  let depth = 0
  const read = async <T>(_operation: string, send: (stripe: Stripe) => Promise<T>): Promise<T> => {
    if (!state.isCalm && random.happens(0.05)) throw new Error('The provider does not answer.')
    const answer = await send(life.clientAt(state.now))
    // While the answer is on its way the world goes on, and another job may read and save what is newer.
    if (!state.isCalm && depth === 0 && random.happens(0.2)) {
      depth += 1
      state.now = Math.min(life.last, state.now + 1 + random.below(3))
      for (const job of queue.values()) await run(job).catch(() => undefined)
      depth -= 1
    }
    return answer
  }
  const services = {
    ...outside.services,
    integrations: { ...outside.services.integrations, payments: { isOn: true, read } },
    jobs: {
      send: async (_tx: unknown, _job: unknown, data: { object: EventObject; id: string }) => queue.set(data.id, data),
      announce: async (_tx: unknown, { name }: { name: string }, data: { invoiceId: string }) =>
        void announced.push(`${name} ${data.invoiceId}`),
    },
  } as unknown as Services
  const run = async (job: { object: EventObject; id: string }) => {
    queue.delete(job.id)
    const jobRun = { id: '1', attempt: 0, lastAttempt: false, signal: noSignal }
    try {
      await applyEvents.run(services, job, jobRun)
    } catch (error) {
      queue.set(job.id, job)
      throw error
    }
  }
  return { random, queue, announced, state, deliveries, services, run, noSignal }
}

async function replay(seed: number): Promise<string[]> {
  const { random, queue, announced, state, deliveries, services, run, noSignal } = createReplay(seed)
  const take = <T>(list: T[]): T | undefined => list.splice(random.below(list.length), 1)[0]
  const fetchMissed = () =>
    fetchMissedEvents.run(services, {}, { id: '1', attempt: 0, lastAttempt: false, signal: noSignal })
  while (deliveries.length || state.now < life.last) {
    const due = deliveries.filter(({ step }) => step <= state.now)
    if (!due.length || (state.now < life.last && random.happens(0.12))) {
      state.now += 1
      continue
    }
    // Several at once, because a transaction each would be most of the test's time.
    const next = Array.from({ length: Math.min(due.length, 1 + random.below(6)) }, () => take(due))
    await services.db.transaction(async tx => {
      for (const delivery of next) {
        if (!delivery) continue
        deliveries.splice(deliveries.indexOf(delivery), 1)
        await storeEvent(services, tx, paymentEvent.parse(delivery.event))
      }
    })
    if (random.happens(0.05)) await fetchMissed().catch(() => undefined)
    if (random.happens(0.25)) {
      const job = take([...queue.values()])
      if (job) await run(job).catch(() => undefined)
    }
  }
  state.isCalm = true
  await fetchMissed()
  for (const job of queue.values()) await run(job)
  return announced
}

/** What is stored of the account, without the moments and counts of its writing. */
async function readState() {
  const { system } = outside.services.db
  const { rows: invoices } = await sql<Record<string, unknown>>`
    select to_jsonb(i) - 'version' - 'read_at' as row from invoice i where account_id = ${accountId} order by id`.execute(
    system,
  )
  const { rows: subscriptions } = await sql<Record<string, unknown>>`
    select to_jsonb(s) - 'id' - 'reading' - 'read_at' - 'updated_at' - 'created_at' - 'plan_since' as row
    from subscription s where account_id = ${accountId}`.execute(system)
  const { rows: waiting } = await sql`select id from payment_event where applied_at is null`.execute(system)
  const { rows: events } = await sql<{ id: string }>`select id from payment_event order by id`.execute(system)
  const { rows: problems } = await sql<{ cause: string; settled: boolean }>`
    select cause, settled_at is not null as settled from notification
    where account_id = ${accountId} and kind = 'PAYMENT_PROBLEM'`.execute(system)
  const { rows: ready } = await sql<{ cause: string }>`
    select cause from notification where account_id = ${accountId} and kind = 'INVOICE_READY' order by cause`.execute(
    system,
  )
  return { mirror: { invoices, subscriptions, events, ready }, waiting, problems }
}

async function forget(): Promise<void> {
  const { system } = outside.services.db
  await sql`delete from payment_event`.execute(system)
  await sql`delete from payment_event_cursor`.execute(system)
  await sql`delete from invoice where account_id = ${accountId}`.execute(system)
  await sql`delete from notification where account_id = ${accountId}`.execute(system)
  await sql`delete from subscription where account_id = ${accountId}`.execute(system)
  await sql`delete from subscription_phase where account_id = ${accountId}`.execute(system)
}

test(`${orders} orders of a subscription's life, with duplicates and losses, end as the provider says`, async () => {
  const expected = life.invoices.flatMap(({ id }) => [`billing.invoice-issued ${id}`, `billing.invoice-paid ${id}`])
  let first: Awaited<ReturnType<typeof readState>>['mirror'] | undefined
  let failuresSeen = 0
  for (let seed = 1; seed <= orders; seed++) {
    await forget()
    const announced = await replay(seed)
    const { mirror, waiting, problems } = await readState()
    first ??= mirror
    expect([seed, mirror]).toEqual([seed, first])
    expect([seed, waiting]).toEqual([seed, []])
    expect([seed, announced.toSorted()]).toEqual([seed, expected.toSorted()])
    // Whether the failure was seen depends on the order; once it is paid nobody is reminded, and nobody was twice.
    expect([seed, problems.filter(({ settled }) => !settled)]).toEqual([seed, []])
    expect(new Set(problems.map(({ cause }) => cause)).size).toBe(problems.length)
    failuresSeen += problems.length
  }
  expect(first?.events).toHaveLength(life.events.length)
  expect(Object.fromEntries(first?.invoices.map(({ row }) => statusOf(row as Stripe.Invoice)) ?? [])).toEqual(
    Object.fromEntries(life.invoices.map(statusOf)),
  )
  expect(first?.subscriptions).toEqual([
    { row: expect.objectContaining({ status: 'canceled', open_invoice_id: null }) },
  ])
  expect(life.events.filter(({ event }) => objectOfType(event.type)).length).toBeGreaterThan(20)
  expect(failuresSeen).toBeGreaterThan(10)
})

const statusOf = ({ id, status, total, amount_paid: paid }: Stripe.Invoice) => [id, [status, total, paid]] as const
