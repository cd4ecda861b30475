-- Up to when the mirror of an account has every change that the marketplace's history reports.
create table structure_sync (
  merchant_id bigint not null,
  profile_id bigint not null,
  synchronized_at timestamptz not null,
  primary key (merchant_id, profile_id)
);
alter table structure_sync enable row level security;
create policy tenant on structure_sync using (merchant_id = any((select current_merchants())::bigint[]));
