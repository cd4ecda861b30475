import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GroupProof, LogRow } from '#features/optimizer/contract.ts'
import { addDays } from '#shared/time.ts'
import { type Chosen, choosePair } from '../../../../tests/support/optimizer-pair.ts'
import { openOptimizerScene } from '../../../../tests/support/optimizer-scene.ts'

let scene: Awaited<ReturnType<typeof openOptimizerScene>>
let others: Chosen[]
let groupId: number
beforeAll(async () => {
  scene = await openOptimizerScene()
  ;({ others } = await choosePair(scene))
})
afterAll(() => scene.close())

const rowsOf = (kind: LogRow['kind'], state: LogRow['state']) =>
  scene.log(`&groupId=${groupId}&kind=${kind}&state=${state}`)
const get = (id: number) => scene.ok<LogRow>(scene.call('GET', `/automation-logs/${id}`))
const carryOut = async () => {
  await scene.send(groupId)
  await scene.push('campaign', 'target', 'negative')
  await scene.settle()
}

test('takes one campaign out of its group, and the last one ends the group', async () => {
  const [one, other] = others
  if (!one || !other) expect.unreachable()
  const id = await scene.take([one.id, other.id])
  expect(await scene.call('POST', `/campaign/stop-optimizing?campaignId=${one.id}`)).toMatchObject({ status: 204 })
  expect((await scene.group(id)).campaigns.map(own => own.id)).toEqual([other.id])
  expect(await scene.call('POST', `/campaign/stop-optimizing?campaignId=${other.id}`)).toMatchObject({ status: 204 })
  expect(await scene.group(id)).toMatchObject({ state: 'STOPPED' })
  expect(await scene.call('POST', `/campaign/stop-optimizing?campaignId=${other.id}`)).toMatchObject({ status: 404 })
})

test('a change has its receipt once its days have settled, and the group its proof', async () => {
  groupId = await scene.take(
    others.slice(2, 12).map(one => one.id),
    { asks: [] },
  )
  await scene.ok(scene.call('POST', `/optimizer/groups/${groupId}/start`))
  await scene.decide(groupId)
  // All of them want the same step, which is asked about as one question.
  const [question] = await rowsOf('bid', 'PROPOSED')
  if (question) await scene.ok(scene.call('POST', `/automation-logs/${question.id}/approve`, {}))
  await carryOut()
  const sent = (await rowsOf('bid', 'CONFIRMED')).filter(row => (row.forecast?.clicks ?? 0) > 0.8)
  const [right, wrong] = sent
  if (!right?.forecast || !wrong?.forecast) expect.unreachable()
  const from = scene.today()
  await scene.later(24 * 20)
  const come = async (row: LogRow, times: number) => {
    const clicks = Math.round((row.forecast?.clicks ?? 0) * times * 14)
    const cost = Math.round(((row.forecast?.cost ?? 0) / (row.forecast?.clicks ?? 1)) * 1e6 * clicks)
    await sql`insert into target_day (merchant_id, profile_id, campaign_id, ad_group_id, target_id, date, impressions, clicks,
        cost_micros, sales_micros, orders, units)
      select t.merchant_id, t.profile_id, t.campaign_id, t.ad_group_id, t.id, ${from}::date + 1, 1000, ${clicks}::int, ${cost}::bigint, 0, 0, 0
      from target t where t.merchant_id = ${scene.merchantId} and t.id = ${row.entity.id}`.execute(
      scene.services.db.system,
    )
  }
  await come(right, 1)
  await come(wrong, 6)
  await scene.judge()
  expect((await get(right.id)).receipt).toMatchObject({
    verdict: 'AS_EXPECTED',
    figures: [{ figure: 'CLICKS' }, { figure: 'CPC' }],
  })
  expect((await get(wrong.id)).receipt).toMatchObject({ verdict: 'NOT_AS_EXPECTED' })
  const proof = await scene.ok<GroupProof>(scene.call('GET', `/optimizer/groups/${groupId}/proof`))
  expect(proof.receipts.judged).toBeGreaterThanOrEqual(2)
  expect(proof.receipts.held).toBeLessThan(proof.receipts.judged)
  expect(proof).toMatchObject({ effect: { verdict: 'CANNOT_TELL', why: 'TOO_FEW_WEEKS' }, test: null })
  expect(proof.calibrations[0]?.bands).toBe(proof.receipts.judged)
  expect(proof.days.some(day => day.profit !== null && day.cost > 0)).toBe(true)
  // What the run of that morning forecast of the week before, and the band in which that was to settle.
  const forecast = proof.days.find(day => day.date === addDays(from, -1))?.forecast
  expect(forecast?.band?.low).toBeLessThan(forecast?.acos ?? 0)
  expect(forecast?.band?.high).toBeGreaterThan(forecast?.acos ?? Infinity)
  expect(proof.days.filter(day => day.forecast !== null)).toHaveLength(1)
  expect(proof.weeks.judged).toBe(1)
})

test('the hours of the week are measured once there are enough of them, and only those beyond chance would move bids', async () => {
  const proof = async () => (await scene.ok<GroupProof>(scene.call('GET', `/optimizer/groups/${groupId}/proof`))).hours
  expect(await proof()).toBeNull()
  // Weekdays from 8 to 12 sell twice as well as all other hours.
  await sql`insert into campaign_hour (merchant_id, profile_id, campaign_id, date, hour, impressions, clicks, cost_micros, sales_micros,
      orders, units)
    select o.merchant_id, ${scene.profile.profileId}, o.campaign_id, d.date, h.hour, 100, 20, 10000000, n.orders * 20000000, n.orders, n.orders
    from (select * from optimizer_campaign where merchant_id = ${scene.merchantId} and group_id = ${groupId} limit 1) o
      cross join generate_series(${scene.today()}::date - 44, ${scene.today()}::date - 4, interval '1 day') as d(date)
      cross join generate_series(0, 23) as h(hour)
      cross join lateral (select case when h.hour between 8 and 11 and extract(isodow from d.date) < 6 then 2 else 1 end as orders) n
    on conflict do nothing`.execute(scene.services.db.system)
  const hours = await proof()
  expect(hours).toMatchObject({ days: 41, dateTo: addDays(scene.today(), -4) })
  expect(hours?.blocks).toHaveLength(12)
  const moved = hours?.blocks.filter(one => one.bid > 0) ?? []
  expect(moved).toMatchObject([{ dayPart: 'WEEKDAY', from: 8, to: 12, bid: 20 }])
  expect(moved[0]?.low).toBeGreaterThan(115)
  await sql`delete from campaign_hour where merchant_id = ${scene.merchantId}`.execute(scene.services.db.system)
})

test('a day that costs far more than usual stops all raises within the hour', async () => {
  const spend = (day: string, table: 'campaign_day' | 'campaign_hour', micros: number) =>
    sql`insert into ${sql.table(table)} (merchant_id, profile_id, campaign_id, date, ${table === 'campaign_hour' ? sql`hour,` : sql``}
        impressions, clicks, cost_micros, sales_micros, orders, units)
      select ${scene.merchantId}, ${scene.profile.profileId}, campaign_id, ${day}::date, ${table === 'campaign_hour' ? sql`3,` : sql``}
        100, 10, ${micros}::bigint, 0, 0, 0 from optimizer_campaign where merchant_id = ${scene.merchantId} and group_id = ${groupId}
      on conflict do nothing`.execute(scene.services.db.system)
  for (const days of [7, 14]) await spend(addDays(scene.today(), -days), 'campaign_day', 10_000_000)
  await spend(scene.today(), 'campaign_hour', 14_000_000)
  await scene.watch(groupId)
  expect((await scene.group(groupId)).halt).toBeNull()
  await sql`update campaign_hour set cost_micros = 16000000 where merchant_id = ${scene.merchantId}`.execute(
    scene.services.db.system,
  )
  await scene.watch(groupId)
  await scene.watch(groupId)
  expect(await scene.log(`&groupId=${groupId}&kind=breaker`)).toMatchObject([
    { cause: 'SPEND_BROKE_OUT', evidence: { cost: 160 } },
  ])
  expect((await scene.group(groupId)).halt).toEqual({ cause: 'SPEND_BROKE_OUT', until: addDays(scene.today(), 3) })
})

test('what is assumed is fitted again where the forecasts of two months were off, once a month, and said so', async () => {
  const db = scene.services.db.system
  const steers = () => rowsOf('steer', 'CONFIRMED')
  const { merchantId } = scene
  // Into the second of the next month: two whole months have figures, of which the last have changed for good.
  while (!scene.today().endsWith('-02')) await scene.later(24)
  const month = `${scene.today().slice(0, 7)}-01`
  await sql`update target_day t set clicks = 12, orders = case when t.date > ${scene.today()}::date - 45 then 3 else 0 end,
      sales_micros = case when t.date > ${scene.today()}::date - 45 then 60000000 else 0 end
    from optimizer_campaign o where o.merchant_id = t.merchant_id and o.campaign_id = t.campaign_id and o.group_id = ${groupId}
      and t.merchant_id = ${merchantId}`.execute(db)
  await sql`update campaign_day d set orders = 10, sales_micros = 200000000 from optimizer_campaign o where o.merchant_id = d.merchant_id
    and o.campaign_id = d.campaign_id and o.group_id = ${groupId} and d.merchant_id = ${merchantId}`.execute(db)
  await sql`insert into optimizer_run (merchant_id, group_id, day, is_shadow, at, outcome, decisions, forecast_acos, engine_version,
      settings_hash)
    select ${merchantId}, ${groupId}, d, false, d, 'NOTHING', 0, 5, 1, '' from generate_series(${scene.today()}::date - 75,
      ${scene.today()}::date - 1, interval '1 day') d on conflict do nothing`.execute(db)
  await sql`update optimizer_group set memory = memory - 'frozenUntil' where id = ${groupId}`.execute(db)
  await scene.decide(groupId)
  const [said, ...others] = await steers()
  expect(said).toMatchObject({ cause: 'REFITTED', day: scene.today() })
  expect(others).toEqual([])
  const { rows } = await sql<{ fit: { halfLifeDays: number; priorOrders: number | null }; month: string }>`select fit,
      fit_month as month from optimizer_group where id = ${groupId}`.execute(db)
  expect(rows[0]?.month).toBe(month)
  expect(rows[0]?.fit).not.toEqual({ halfLifeDays: 45, priorOrders: null })
  await scene.later(24)
  await scene.decide(groupId)
  expect(await steers()).toHaveLength(1)
})
