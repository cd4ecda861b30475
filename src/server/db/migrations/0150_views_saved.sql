-- Local: what a user narrowed, sorted and chose the columns of in a list, kept under a name.
create table saved_view (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  list text not null,
  name text not null,
  search jsonb not null,
  created_at timestamptz not null
);
create unique index saved_view_name on saved_view (account_id, list, lower(name));
revoke all on saved_view from tideline_app;
