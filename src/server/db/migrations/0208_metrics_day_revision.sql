-- What each pull showed of a day, by ad type: a row for each version, with the first and the last moment at which the
-- marketplace reported it. How days of an age were restated later is learnt from these.
create table day_revision (
  merchant_id bigint not null,
  profile_id bigint not null,
  ad_type text not null,
  date date not null,
  seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  impressions bigint not null,
  clicks bigint not null,
  cost_micros bigint not null,
  sales_micros bigint not null,
  orders bigint not null,
  units bigint not null,
  primary key (merchant_id, profile_id, date, ad_type, seen_at)
);
create index day_revision_date on day_revision (merchant_id, date);
alter table day_revision enable row level security;
create policy tenant on day_revision using (merchant_id = any(current_merchants()));

-- What was learnt from them, worked out at the end of each pull, so that reading it costs one row.
alter table metrics_state add column settling jsonb;
