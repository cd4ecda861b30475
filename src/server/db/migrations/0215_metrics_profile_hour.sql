-- Sums of campaign_hour by account, written in the transaction that adds to it: the hours of a week over a month are then
-- 720 rows, however many campaigns there are.
create table profile_hour (
  merchant_id bigint not null,
  profile_id bigint not null,
  date date not null,
  hour smallint not null,
  impressions int not null,
  clicks int not null,
  cost_micros bigint not null,
  sales_micros bigint not null,
  orders int not null,
  units int not null,
  primary key (merchant_id, profile_id, date, hour)
);
alter table profile_hour enable row level security;
create policy tenant on profile_hour using (merchant_id = any(current_merchants()));

insert into profile_hour (merchant_id, profile_id, date, hour, impressions, clicks, cost_micros, sales_micros, orders, units)
  select merchant_id, profile_id, date, hour, sum(impressions), sum(clicks), sum(cost_micros), sum(sales_micros), sum(orders), sum(units)
  from campaign_hour group by merchant_id, profile_id, date, hour;
