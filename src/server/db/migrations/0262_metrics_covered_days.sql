-- The days of some campaigns or ad groups are summed from the index alone: a chart of a filter reads hundreds of thousands.
drop index campaign_day_campaign;
create index campaign_day_campaign on campaign_day (merchant_id, campaign_id, date)
  include (profile_id, impressions, clicks, cost_micros, sales_micros, orders, units);
create index ad_group_day_group on ad_group_day (merchant_id, ad_group_id, date)
  include (profile_id, impressions, clicks, cost_micros, sales_micros, orders, units);
