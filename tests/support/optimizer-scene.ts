import { sql } from 'kysely'
import { notifyAlert } from '#features/notifications/server/jobs.ts'
import type { LogRow, OptimizerGroup, Takeover } from '#features/optimizer/contract.ts'
import { judgeAccount } from '#features/optimizer/server/receipts.job.ts'
import { runGroup, runGroups } from '#features/optimizer/server/run-group.job.ts'
import { sendDecisions } from '#features/optimizer/server/send-decisions.job.ts'
import { settleAccount } from '#features/optimizer/server/settle-decisions.job.ts'
import { watchGroup } from '#features/optimizer/server/watch-spend.job.ts'
import type { EntityName } from '#features/structure/contract.ts'
import { pushJobs } from '#features/structure/server/push/send-changes.ts'
import { mirrorCampaigns } from '#features/structure/server/public.ts'
import type { Services } from '#server/context.ts'
import { type AdType, adTypes } from '#shared/campaign-rules.ts'
import { addSums } from '#shared/metrics.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { sumsOfFact } from './books.ts'
import { openProductScene, type ProductScene } from './product-scene.ts'

/** A morning in the Americas. What the engine decides follows from what shoppers did until then. */
const STARTS_AT = new Date('2026-11-23T16:00:00Z')
const run = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }

/**
 * A seller of the emulator whose campaigns, products, costs and last 60 days are imported, and what a test does with a group of its
 * campaigns. Jobs run when the test runs them; the product's clock moves only by `later`.
 */
export async function openOptimizerScene() {
  const scene = await openProductScene({
    login: 'agency@sandbox.test',
    sellerId: 'A1HARBORLANEUS',
    country: 'US',
    startsAt: STARTS_AT,
  })
  const { profile, services: opened, call, sandbox } = scene
  let now = opened.clock.now()
  // One clock for all that the scene's calls and jobs read.
  opened.clock.now = () => now
  const services: Services = opened
  const { merchantId, profileId, marketplaceId, timezone } = profile
  const today = () => dayIn(now, timezone)
  await scene.importStructure()
  await saveFigures(scene, { from: addDays(today(), -60), to: addDays(today(), -1) }, now)
  // As the catalogue's import has them, without its waits for the quota of fees.
  const goods = [...sandbox.world.store.products.values()].filter(
    one => one.sellerId === profile.sellerId && one.marketplaceId === profile.marketplaceAmazonId,
  )
  await sql`insert into product (merchant_id, marketplace_id, sku, asin, title, brand, price_micros, currency, fees_micros)
    select ${merchantId}::bigint, ${marketplaceId}::bigint, u.sku, u.asin, u.title, u.brand, u.price, 'USD', u.price * 0.2
    from unnest(${goods.map(g => g.sku)}::text[], ${goods.map(g => g.asin)}::text[], ${goods.map(g => g.title)}::text[],
      ${goods.map(g => g.brand)}::text[], ${goods.map(g => g.priceMicros)}::bigint[]) as u(sku, asin, title, brand, price)`.execute(
    services.db.system,
  )
  await sql`insert into product_cost (merchant_id, marketplace_id, sku, valid_from, cogs_micros, changed_at)
    select merchant_id, marketplace_id, sku, '2020-01-01', price_micros * 0.35, now() from product
    where merchant_id = ${merchantId}`.execute(services.db.system)

  // The scene's weeks go by within its trial.
  await sql`update subscription set trial_ends_at = now() + interval '1 year' where account_id = ${scene.accountId}`.execute(
    services.db.system,
  )

  const ref = (groupId: number) => ({ merchantId, profileId, groupId })
  const ok = async <T>(answer: ReturnType<typeof call>): Promise<T> => {
    const { status, body } = await answer
    if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return body as T
  }
  const take = async (campaignIds: number[], more: Partial<Takeover> = {}): Promise<number> => {
    const body = { campaignIds, targetAcos: 25, strategy: 'PROFIT', ...more }
    return (await ok<{ groupId: number }>(call('POST', '/campaign/takeover', body))).groupId
  }
  const log = async (query = ''): Promise<LogRow[]> =>
    (await ok<{ content: LogRow[] }>(call('GET', `/automation-logs?size=200${query}`))).content
  const group = (id: number) => ok<OptimizerGroup>(call('GET', `/optimizer/groups/${id}`))
  const pushOf = async (adType: AdType, ...entities: EntityName[]) => {
    for (const entity of entities) await pushJobs[entity].run(services, { merchantId, profileId, adType }, run)
  }
  const push = (...entities: EntityName[]) => pushOf('SPONSORED_PRODUCTS', ...entities)
  /** How many requests of the advertising API wrote, of those that the emulator remembers. */
  const writes = () =>
    sandbox.world.journal
      .list({ vendor: 'ads' })
      .filter(({ method, path }) => ['PUT', 'POST'].includes(method) && /\/sp\/\w+(\/delete)?$/.test(path)).length

  return {
    ...scene,
    services,
    ok,
    take,
    log,
    group,
    push,
    pushOf,
    writes,
    today,
    now: () => now,
    /** Moves the product's clock; its reports are as new as they were, seen from there. */
    later: async (hours: number) => {
      now = new Date(now.getTime() + hours * 3_600_000)
      await sql`update metrics_state set daily_as_of = ${now}, daily_to = ${today()} where merchant_id = ${merchantId}`.execute(
        services.db.system,
      )
    },
    decide: (id: number) => runGroup.run(services, ref(id), run),
    decideDue: () => runGroups.run(services, {}, run),
    send: (id: number) => sendDecisions.run(services, ref(id), run),
    /** Has everybody notified of what was announced since the last time. */
    notify: async () => {
      const { rows } = await sql<{ data: never }>`delete from jobs.job where name = 'notify-alert' and state = 'created'
        returning data`.execute(services.db.system)
      for (const { data } of rows) await notifyAlert.run(services, data, run)
    },
    settle: () => settleAccount(services, { merchantId, profileId }),
    watch: (id: number) => watchGroup(services, ref(id)),
    judge: () => judgeAccount(services, { merchantId, profileId }),
    mirror: (amazonIds: string[]) => mirrorCampaigns(services, profile, amazonIds, AbortSignal.timeout(60_000)),
  }
}

/** The marketplace's own figures of targets, campaigns and searches, as reports of this moment have them. */
async function saveFigures({ world, profile, services }: ProductScene, range: { from: string; to: string }, at: Date) {
  const { merchantId, profileId, amazonProfileId } = profile
  const facts = adTypes.flatMap(adType =>
    world
      .market()
      .facts(Number(amazonProfileId), range.from, range.to, at, adType)
      .map(fact => ({ ...fact, adType })),
  )
  const tables = {
    campaign_day: { by: ['campaignId'], columns: 'campaign_id', values: 'c.id' },
    target_day: {
      by: ['campaignId', 'adGroupId', 'targetId'],
      columns: 'campaign_id, ad_group_id, target_id',
      values: 'c.id, t.ad_group_id, t.id',
    },
    search_term_day: {
      by: ['campaignId', 'adGroupId', 'targetId', 'searchTerm'],
      columns: 'campaign_id, ad_group_id, target_id, search_term',
      values: 'c.id, t.ad_group_id, t.id, u.term',
    },
  } as const
  for (const [table, { by, columns, values }] of Object.entries(tables)) {
    const groups = Map.groupBy(facts, fact => [fact.day, ...by.map(key => fact[key])].join('\u0000'))
    const rows = [...groups.values()].flatMap(own => {
      const [first] = own
      const sums = addSums(own.map(fact => sumsOfFact(fact, fact.adType)))
      return first && (table !== 'search_term_day' || sums.clicks > 0) ? [{ ...first, ...sums }] : []
    })
    const all = <V>(read: (row: (typeof rows)[number]) => V): V[] => rows.map(read)
    await sql`insert into ${sql.table(table)} (merchant_id, profile_id, date, ${sql.raw(columns)}, impressions, clicks, cost_micros,
        sales_micros, orders, units)
      select ${merchantId}::bigint, ${profileId}::bigint, u.day, ${sql.raw(values)}, u.impressions, u.clicks, u.cost, u.sales, u.orders, u.units
      from unnest(${all(r => r.day)}::date[], ${all(r => r.campaignId)}::text[], ${all(r => r.targetId)}::text[],
        ${all(r => r.searchTerm)}::text[], ${all(r => r.impressions)}::int[], ${all(r => r.clicks)}::int[],
        ${all(r => r.costMicros)}::bigint[], ${all(r => r.salesMicros)}::bigint[], ${all(r => r.orders)}::int[],
        ${all(r => r.units)}::int[]) as u(day, campaign, target, term, impressions, clicks, cost, sales, orders, units)
      join campaign c on c.merchant_id = ${merchantId} and c.profile_id = ${profileId} and c.amazon_id = u.campaign
      ${table === 'campaign_day' ? sql`` : sql`join target t on t.merchant_id = c.merchant_id and t.profile_id = c.profile_id and t.amazon_id = u.target`}
      on conflict do nothing`.execute(services.db.system)
  }
  await sql`insert into metrics_state (merchant_id, profile_id, daily_as_of, daily_from, daily_to)
    values (${merchantId}, ${profileId}, ${at}, ${range.from}, ${range.to})
    on conflict (merchant_id, profile_id) do update set daily_as_of = excluded.daily_as_of, daily_to = excluded.daily_to`.execute(
    services.db.system,
  )
}
