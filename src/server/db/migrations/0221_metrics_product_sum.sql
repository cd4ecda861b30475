-- What the ads of each product did and what it sold in all, by blocks of 1, 7 and 28 days: a range of 90 days is a dozen
-- blocks, not 90 days. Weeks begin on Monday, blocks of 28 days lie end to end from Monday, 2000-01-03.
create table product_sum (
  merchant_id bigint not null,
  profile_id bigint not null,
  asin text not null,
  days smallint not null,
  start date not null,
  impressions bigint not null default 0,
  clicks bigint not null default 0,
  cost_micros bigint not null default 0,
  sales_micros bigint not null default 0,
  orders bigint not null default 0,
  units bigint not null default 0,
  total_units bigint not null default 0,
  total_sales_micros bigint not null default 0,
  primary key (merchant_id, profile_id, days, start, asin)
);
create index product_sum_asin on product_sum (merchant_id, profile_id, asin, start) where days = 1;
alter table product_sum enable row level security;
create policy tenant on product_sum using (merchant_id = any((select current_merchants())::bigint[]));

insert into product_sum (merchant_id, profile_id, asin, days, start, impressions, clicks, cost_micros, sales_micros, orders, units,
    total_units, total_sales_micros)
  select merchant_id, profile_id, asin, days, date - ((date - '2000-01-03'::date) % days), sum(impressions), sum(clicks), sum(cost_micros),
    sum(sales_micros), sum(orders), sum(units), sum(total_units), sum(total_sales_micros)
  from (
    select merchant_id, profile_id, asin, date, impressions, clicks, cost_micros, sales_micros, orders, units,
      0 as total_units, 0 as total_sales_micros
    from ad_day where asin is not null
    union all
    select t.merchant_id, p.id, t.asin, t.date, 0, 0, 0, 0, 0, 0, t.units, t.sales_micros
    from product_trade_day t join ads_profile p on p.merchant_id = t.merchant_id and p.marketplace_id = t.marketplace_id
  ) r cross join (values (1), (7), (28)) as b(days)
  group by merchant_id, profile_id, asin, days, date - ((date - '2000-01-03'::date) % days);
