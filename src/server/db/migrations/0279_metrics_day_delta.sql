-- What the stream changed of a day, by ad type and by when the marketplace sent it (the end of a few hours). Added up they
-- show how a day was reported at any age, also of days that no pull saw young: those learn how days settle from here.
create table day_delta (
  merchant_id bigint not null,
  profile_id bigint not null,
  ad_type text not null,
  date date not null,
  sent_at timestamptz not null,
  impressions bigint not null,
  clicks bigint not null,
  cost_micros bigint not null,
  sales_micros bigint not null,
  orders bigint not null,
  units bigint not null,
  primary key (merchant_id, profile_id, date, ad_type, sent_at)
);
alter table day_delta enable row level security;
create policy tenant on day_delta using (merchant_id = any((select current_merchants())::bigint[]));

-- What was learnt before does not say from how much; the next pull learns it again.
update metrics_state set settling = null;

-- Deltas of campaigns that are not mirrored yet wait with the moment at which they were sent.
alter table stream_unplaced add column ad_type text, add column sent_at timestamptz;
