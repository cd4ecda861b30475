-- The view with which a list opens; at most one of each list.
alter table saved_view add column is_default boolean not null default false;
create unique index saved_view_default on saved_view (account_id, list) where is_default;
