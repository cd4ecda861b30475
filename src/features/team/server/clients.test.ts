import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '#server/context.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { messagesDuring } from '../../../../tests/support/answers-scene.ts'
import {
  addTestAccount,
  addTestCampaign,
  sumUpDay,
  type TestAccount,
} from '../../../../tests/support/campaign-account.ts'
import { callerOf } from '../../../../tests/support/people.ts'
import { testServices } from '../../../../tests/support/services.ts'
import { getClients } from './get-clients.ts'

let services: Services & { close(): Promise<void> }
beforeAll(async () => {
  services = await testServices()
})
afterAll(() => services.close())

const today = dayIn(new Date(), 'UTC')

/** A client of the agency, with spend and sales (in units) a day in each of the two weeks. */
async function addClient(
  agency: TestAccount,
  now: [cost: number, sales: number],
  before: [cost: number, sales: number],
) {
  const client = await addTestAccount(services)
  const { system } = services.db
  await sql`insert into membership (account_id, merchant_id, role) values (${agency.accountId}, ${client.merchantId}, 'VIEWER')`.execute(
    system,
  )
  for (const [day, [cost, sales]] of [
    [-2, now],
    [-9, before],
  ] as const) {
    const date = addDays(today, day)
    await addTestCampaign(services, client, { name: `Day ${day}`, day: [100, 10, cost, sales, 1], days: [date] })
    await sumUpDay(system, client, date)
  }
  await sql`insert into metrics_state (merchant_id, profile_id, daily_to, daily_as_of) values (${client.merchantId}, ${client.profileId}, ${addDays(today, -1)}, now())
    on conflict do nothing`.execute(system)
  return client
}
const clientsOf = async ({ accountId }: TestAccount) =>
  getClients(await callerOf(services, accountId, ['ACCOUNT_MANAGER', 'AGENCY']))

test('clients come by what needs attention, in one answer whose cost does not grow with their number', async () => {
  const agency = await addTestAccount(services)
  const calm = await addClient(agency, [50, 200], [50, 200])
  const small = await addClient(agency, [2, 4], [1, 4])
  const large = await addClient(agency, [300, 600], [200, 800])
  const { system } = services.db
  await sql`insert into alert (merchant_id, cause, profile_id, kind, occasion, strength, said, raised_at)
    values (${calm.merchantId}, 'over', ${calm.profileId}, 'SPEND_SPIKE', 'a', 9, '', now() - interval '9 days'),
      (${small.merchantId}, 'one', ${small.profileId}, 'SPEND_SPIKE', 'a', 1.5, '', now()),
      (${small.merchantId}, 'two', ${small.profileId}, 'NO_SALES', 'b', 2.5, '', now())`.execute(system)
  await sql`update alert set settled_at = now() where cause = 'over'`.execute(system)
  const first = await messagesDuring(services.db, () => clientsOf(agency))
  const { clients } = first.result
  const own = clients.filter(one => one.merchantId !== agency.merchantId)
  expect(own.map(one => [one.merchantId, one.reason])).toEqual([
    [large.merchantId, 'ACOS_UP'],
    [small.merchantId, 'ALERTS'],
    [calm.merchantId, null],
  ])
  expect(own[0]).toMatchObject({
    now: { cost: 300, sales: 600, acos: 50 },
    before: { cost: 200, sales: 800, acos: 25 },
    openAlerts: 0,
    strongestAlert: null,
    lastChangeAt: null,
  })
  expect(own[1]).toMatchObject({ openAlerts: 2, strongestAlert: 'NO_SALES' })
  expect(own[2]).toMatchObject({ openAlerts: 0 })
  // Without figures it is not 0.
  expect(clients.at(-1)).toMatchObject({ merchantId: agency.merchantId, now: null, reason: null })
  for (let n = 0; n < 5; n++) await addClient(agency, [10, 20], [10, 20])
  const second = await messagesDuring(services.db, () => clientsOf(agency))
  expect(second.result.clients).toHaveLength(clients.length + 5)
  // The first call may also have read what every later one finds cached; the process itself may send something during one.
  const third = await messagesDuring(services.db, () => clientsOf(agency))
  expect(Math.min(second.messages, third.messages)).toBeLessThanOrEqual(first.messages)
})

test('an agency sees its own clients only', async () => {
  const other = await addTestAccount(services)
  expect((await clientsOf(other)).clients.map(one => one.merchantId)).toEqual([other.merchantId])
})
