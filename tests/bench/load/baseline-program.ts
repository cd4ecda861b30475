import Fastify from 'fastify'
import pg from 'pg'

// The program that the product is measured against: Fastify and pg on the product's own tables and indexes, with a statement
// for each part of an answer, all at once. It sums up days; it has no cache, log-in or row-level security, checks nothing,
// and leaves out the age of the figures and the bands in which they will end. A competent developer would write it like this for one page of campaigns and for the cards of Home.
for (const type of [20, 1700]) pg.types.setTypeParser(type, Number)
pg.types.setTypeParser(1082, text => text)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = Fastify()

interface Sums {
  impressions: number
  clicks: number
  cost: number
  sales: number
  orders: number
  units: number
}
const sums = `coalesce(sum(d.impressions), 0) impressions, coalesce(sum(d.clicks), 0) clicks, coalesce(sum(d.cost_micros), 0) / 1e6 "cost",
  coalesce(sum(d.sales_micros), 0) / 1e6 sales, coalesce(sum(d.orders), 0) orders, coalesce(sum(d.units), 0) units`
const ratio = (a: number, b: number, factor = 1) => (b ? (a / b) * factor : null)
const figures = <T extends Sums>(s: T) => ({
  ...s,
  ctr: ratio(s.clicks, s.impressions, 100),
  cpc: ratio(s.cost, s.clicks),
  cvr: ratio(s.orders, s.clicks, 100),
  acos: ratio(s.cost, s.sales, 100),
  roas: ratio(s.sales, s.cost),
})
const rows = async <T extends object>(text: string, values: unknown[]) => (await pool.query<T>(text, values)).rows
type Query = Record<'merchantId' | 'profileId' | 'marketplaceId' | 'dateFrom' | 'dateTo' | 'page' | 'size', string>

app.get<{ Querystring: Query }>('/campaigns', async ({ query: q }) => {
  const range = [q.merchantId, q.profileId, q.dateFrom, q.dateTo]
  const [found, totals, count] = await Promise.all([
    rows<Sums>(
      `select c.id, c.amazon_id "amazonId", c.name, c.ad_type "adType", c.targeting_type "targetingType", c.daily_budget_micros / 1e6 budget,
        c.lifetime_budget_micros / 1e6 "lifetimeBudget", c.cost_type "costType", c.tactic, c.target_acos "targetAcos", c.state,
        c.bidding_strategy "biddingStrategy", c.bidding->'placements' placements, c.start_date "startDate", c.end_date "endDate",
        c.portfolio_amazon_id "portfolioId", c.serving_status "servingStatus", c.sync_state "syncState", c.sync_error "syncError", c.version, ${sums}
      from campaign c left join campaign_day d on d.merchant_id = c.merchant_id and d.campaign_id = c.id and d.date between $3 and $4
      where c.merchant_id = $1 and c.profile_id = $2 and c.gone_at is null
      group by c.merchant_id, c.id order by "cost" desc, c.id limit $5 offset $6`,
      [...range, q.size, Number(q.page) * Number(q.size)],
    ),
    rows<Sums>(
      `select ${sums} from campaign_day d where d.merchant_id = $1 and d.profile_id = $2 and d.date between $3 and $4`,
      range,
    ),
    rows<{ n: number }>(
      'select count(*) n from campaign where merchant_id = $1 and profile_id = $2 and gone_at is null',
      range.slice(0, 2),
    ),
  ])
  return { content: found.map(figures), totals: totals.map(figures)[0], page: { totalElements: count[0]?.n } }
})

const dayMs = 86_400_000
const total = (days: readonly Sums[], name: keyof Sums) => days.reduce((sum, day) => sum + day[name], 0)
app.get<{ Querystring: Query }>('/cards', async ({ query: q }) => {
  const length = (Date.parse(q.dateTo) - Date.parse(q.dateFrom)) / dayMs + 1
  const from = new Date(Date.parse(q.dateFrom) - length * dayMs).toISOString().slice(0, 10)
  const [days, profits] = await Promise.all([
    rows<Sums & { date: string; totalSales: number }>(
      `select t.date, t.sales_micros / 1e6 "totalSales", ${sums}
      from trade_day t left join campaign_day d on d.merchant_id = t.merchant_id and d.profile_id = $2 and d.date = t.date
      where t.merchant_id = $1 and t.marketplace_id = $3 and t.date between $4 and $5 group by t.date, t.sales_micros order by t.date`,
      [q.merchantId, q.profileId, q.marketplaceId, from, q.dateTo],
    ),
    rows<{ now: boolean; profit: number }>(
      `with cost as (select asin, fees_micros fees, cogs_micros cogs, valid_from,
          lead(valid_from, 1, 'infinity') over (partition by sku order by valid_from) valid_to
        from product join product_cost using (merchant_id, marketplace_id, sku) where merchant_id = $1 and marketplace_id = $2)
      select t.date >= $4 as now, sum(t.sales_micros - t.units * (c.cogs + c.fees)) / 1e6 profit
      from product_trade_day t join cost c on c.asin = t.asin and t.date >= c.valid_from and t.date < c.valid_to
      where t.merchant_id = $1 and t.marketplace_id = $2 and t.date between $3 and $5 and c.fees is not null group by 1`,
      [q.merchantId, q.marketplaceId, from, q.dateFrom, q.dateTo],
    ),
  ])
  const valuesOf = (period: typeof days, profit = 0) => {
    const [spend, sales] = [total(period, 'cost'), total(period, 'sales')]
    const all = period.reduce((sum, day) => sum + day.totalSales, 0)
    return {
      spend,
      sales,
      acos: ratio(spend, sales, 100),
      roas: ratio(sales, spend),
      tacos: ratio(spend, all, 100),
      orders: total(period, 'orders'),
      clicks: total(period, 'clicks'),
      impressions: total(period, 'impressions'),
      profit: profit - spend,
    }
  }
  const current = days.filter(day => day.date >= q.dateFrom)
  const value = valuesOf(current, profits.find(p => p.now)?.profit)
  const previous = valuesOf(
    days.filter(day => day.date < q.dateFrom),
    profits.find(p => !p.now)?.profit,
  )
  const lines = current.map(day => valuesOf([day]))
  return Object.keys(value).map(name => {
    const metric = name as keyof typeof value
    return {
      metric,
      value: value[metric],
      previous: previous[metric],
      sparkline: metric === 'profit' ? [] : lines.map(line => line[metric]),
    }
  })
})

const address = await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 0) })
process.send?.({ ready: true, address })
