-- Local: while it is managed through a session, the account for which its calls act; at most an hour.
alter table session
  add column managed_account_id bigint references account (id) on delete set null,
  add column managed_until timestamptz;
create index session_managed on session (managed_account_id) where managed_account_id is not null;
