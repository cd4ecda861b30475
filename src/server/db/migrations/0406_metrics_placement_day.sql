-- What each campaign brought in each place that its ads were shown in, by day. A place that the marketplace does not name is OTHER.
create table placement_day (
  merchant_id bigint not null,
  profile_id bigint not null,
  campaign_id bigint not null,
  placement text not null,
  date date not null,
  impressions int not null,
  clicks int not null,
  cost_micros bigint not null,
  sales_micros bigint not null,
  orders int not null,
  units int not null,
  primary key (merchant_id, date, campaign_id, placement)
);
create index placement_day_campaign on placement_day (merchant_id, campaign_id, date);
alter table placement_day enable row level security;
create policy tenant on placement_day using (merchant_id = any((select current_merchants())::bigint[]));

-- The rows of reports on their way into the daily tables name it too.
alter table report_row add column placement text;
