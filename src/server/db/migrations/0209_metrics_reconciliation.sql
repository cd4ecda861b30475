-- How our sums of a settled day compare with the marketplace's: of the last check of the day.
create table reconciliation (
  merchant_id bigint not null,
  profile_id bigint not null,
  ad_type text not null,
  date date not null,
  checked_at timestamptz not null,
  -- EQUAL; REPAIRED: equal after the day was imported again; DIFFERS: not even then.
  outcome text not null check (outcome in ('EQUAL', 'REPAIRED', 'DIFFERS')),
  -- What differed: the table, the metric, our sum and the marketplace's.
  differences jsonb not null,
  primary key (merchant_id, profile_id, date, ad_type)
);
alter table reconciliation enable row level security;
create policy tenant on reconciliation using (merchant_id = any(current_merchants()));
create index reconciliation_differs on reconciliation (merchant_id, checked_at) where outcome = 'DIFFERS';

-- Whether newer figures of a kind were saved than an old request would bring.
create index report_request_applied on report_request (merchant_id, profile_id, kind, requested_at) where applied_at is not null;
