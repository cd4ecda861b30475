-- The rows of a report on their way into the daily tables: a report of half a million rows streams in here batch by batch,
-- and then replaces its days in one short transaction. Nothing reads them but the import that wrote them, under its own
-- `pull`; a crash of the database loses them, and the import counts them before it uses them.
create unlogged table report_row (
  merchant_id bigint not null,
  pull uuid not null,
  staged_at timestamptz not null,
  date date not null,
  -- The marketplace's id of the campaign, target or ad.
  amazon_id text not null,
  search_term text,
  asin text,
  impressions bigint not null default 0,
  clicks bigint not null default 0,
  cost_micros bigint not null default 0,
  sales_micros bigint not null default 0,
  orders bigint not null default 0,
  units bigint not null default 0
);
create index report_row_pull on report_row (merchant_id, pull);
alter table report_row enable row level security;
create policy tenant on report_row using (merchant_id = any((select current_merchants())::bigint[]));
