-- How much of its day's budget a campaign had used at a moment, as the marketplace's stream reports it.
create table campaign_budget_usage (
  merchant_id bigint not null,
  profile_id bigint not null,
  campaign_id bigint not null,
  at timestamptz not null,
  budget_micros bigint not null,
  usage_percent real not null,
  primary key (merchant_id, campaign_id, at)
);
create index campaign_budget_usage_at on campaign_budget_usage (merchant_id, at);
alter table campaign_budget_usage enable row level security;
create policy tenant on campaign_budget_usage using (merchant_id = any(current_merchants()));
