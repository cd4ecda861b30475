-- Sums of target_day by ad group, written in the transaction that replaces its days: ad groups are a hundredth of the
-- targets, and their lists and charts would otherwise read every target's days.
create table ad_group_day (
  merchant_id bigint not null,
  profile_id bigint not null,
  campaign_id bigint not null,
  ad_group_id bigint not null,
  date date not null,
  impressions int not null,
  clicks int not null,
  cost_micros bigint not null,
  sales_micros bigint not null,
  orders int not null,
  units int not null,
  primary key (merchant_id, date, ad_group_id)
);
create index ad_group_day_profile on ad_group_day (merchant_id, profile_id, date);
alter table ad_group_day enable row level security;
create policy tenant on ad_group_day using (merchant_id = any(current_merchants()));
