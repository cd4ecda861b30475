-- What each search term of an ad group did, by blocks of 7 and 28 days: a range of 60 days is a dozen blocks, not 60 days.
-- Weeks begin on Monday, blocks of 28 days lie end to end from Monday, 2000-01-03; single days are in search_term_day.
-- Written in the transaction that replaces the days.
create table search_term_sum (
  merchant_id bigint not null,
  profile_id bigint not null,
  days smallint not null,
  start date not null,
  ad_group_id bigint not null,
  search_term text not null,
  campaign_id bigint not null,
  impressions bigint not null default 0,
  clicks bigint not null default 0,
  cost_micros bigint not null default 0,
  sales_micros bigint not null default 0,
  orders bigint not null default 0,
  units bigint not null default 0,
  primary key (merchant_id, profile_id, days, start, ad_group_id, search_term)
);
alter table search_term_sum enable row level security;
create policy tenant on search_term_sum using (merchant_id = any((select current_merchants())::bigint[]));

insert into search_term_sum (merchant_id, profile_id, days, start, ad_group_id, search_term, campaign_id, impressions, clicks,
    cost_micros, sales_micros, orders, units)
  select merchant_id, profile_id, days, date - ((date - '2000-01-03'::date) % days) as start, ad_group_id, search_term, min(campaign_id),
    sum(impressions), sum(clicks), sum(cost_micros), sum(sales_micros), sum(orders), sum(units)
  from search_term_day cross join (values (7), (28)) as b(days)
  group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6;
