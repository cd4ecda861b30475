-- The role under which every request's statements run; the owner of the tables is not bound by row-level security.
do $$ begin
  if not exists (select from pg_roles where rolname = 'tideline_app') then create role tideline_app nologin; end if;
-- Another database of the same server, at its first start too, may have been a moment faster.
exception when duplicate_object or unique_violation then null;
end $$;

-- On a server the log-in role must be a member to take the role on; on the embedded engine it is superuser anyway.
do $$ begin
  execute format('grant tideline_app to %I', current_user);
exception when others then null;
end $$;

alter default privileges in schema public grant select, insert, update, delete on tables to tideline_app;
alter default privileges in schema public grant usage, select on sequences to tideline_app;

-- The merchants that the running transaction may see: set by the platform, empty when it set none.
create function current_merchants() returns bigint[] language sql stable as
$$ select coalesce(string_to_array(nullif(current_setting('tideline.merchants', true), ''), ',')::bigint[], '{}') $$;

create table idempotency_key (
  account_id bigint not null,
  key text not null,
  endpoint text not null,
  body_hash text not null,
  state text not null check (state in ('in_flight', 'done')),
  status int,
  body text,
  created_at timestamptz not null default now(),
  locked_until timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_key_created on idempotency_key (created_at);
