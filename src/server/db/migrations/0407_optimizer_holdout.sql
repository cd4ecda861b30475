-- Targets of a group that were drawn for a test: those that are held keep their bids until its last day, so that what the
-- others earn can be compared with them. One test a quarter.
create table optimizer_holdout (
  merchant_id bigint not null,
  group_id bigint not null,
  quarter text not null,
  target_id bigint not null,
  stratum int not null,
  is_held boolean not null,
  from_day date not null,
  to_day date not null,
  primary key (merchant_id, group_id, quarter, target_id),
  foreign key (merchant_id, group_id) references optimizer_group (merchant_id, id) on delete cascade
);
alter table optimizer_holdout enable row level security;
create policy tenant on optimizer_holdout using (merchant_id = any((select current_merchants())::bigint[]));
