-- Sums of target_day by week (Mondays), written in the transaction that replaces its days: a list of all keywords over a
-- month or a quarter reads a row a week instead of a row a day.
create table target_week (
  merchant_id bigint not null,
  profile_id bigint not null,
  target_id bigint not null,
  week date not null,
  impressions int not null,
  clicks int not null,
  cost_micros bigint not null,
  sales_micros bigint not null,
  orders int not null,
  units int not null,
  primary key (merchant_id, week, target_id)
);
create index target_week_profile on target_week (merchant_id, profile_id, week);
create index target_week_target on target_week (merchant_id, target_id, week);
alter table target_week enable row level security;
create policy tenant on target_week using (merchant_id = any(current_merchants()));

insert into target_week (merchant_id, profile_id, target_id, week, impressions, clicks, cost_micros, sales_micros, orders, units)
  select merchant_id, min(profile_id), target_id, date - (extract(isodow from date)::int - 1), sum(impressions), sum(clicks), sum(cost_micros), sum(sales_micros), sum(orders), sum(units)
  from target_day group by merchant_id, target_id, date - (extract(isodow from date)::int - 1);

-- The ads of a campaign or an ad group are looked up by ad, as targets are by target.
create index ad_day_ad on ad_day (merchant_id, ad_id, date);
