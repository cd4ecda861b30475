-- Counts what was written, so that a read of the provider that was overtaken by another is not saved.
alter table invoice add column version integer not null default 1;
-- The waiting events of one object are applied together.
create index payment_event_object on payment_event (object_id) where applied_at is null;

-- Local: up to when the provider's own list of events was read, by the provider's time. At most one row.
create table payment_event_cursor (
  is_only boolean primary key default true check (is_only),
  listed_until timestamptz not null
);
