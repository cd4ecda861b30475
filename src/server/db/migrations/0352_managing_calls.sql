-- Local: every call that a campaign manager made for an account. A read has one row (WHOLE), anything else a row before it is
-- made (BEGUN) and one with its outcome (ENDED). Rows are only added: the triggers below keep everybody from changing them, and
-- each row has the hash of the account's row before it, so that a change that gets around the triggers is found. No foreign keys:
-- the log outlives the accounts.
create table managed_call (
  account_id bigint not null,
  number bigint not null,
  phase text not null check (phase in ('BEGUN', 'ENDED', 'WHOLE')),
  request_id text not null,
  session_id text not null,
  manager_id bigint not null,
  manager_email text not null,
  manager_name text not null,
  method text not null,
  path text not null,
  summary text not null,
  -- Ids and values of the request, by name.
  details jsonb not null,
  -- The status of the answer; null as long as there is none.
  status int check ((status is null) = (phase = 'BEGUN')),
  error_code text,
  at timestamptz not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (account_id, number),
  unique (account_id, request_id, phase)
);

-- Local: the end of each account's chain, and the last row that was deleted after the seven years.
create table managed_call_head (
  account_id bigint primary key,
  number bigint not null,
  hash bytea not null,
  purged_number bigint not null default 0,
  purged_hash bytea not null default ''
);

-- Local: what the check of the chains found.
create table managed_call_break (
  account_id bigint not null,
  number bigint not null,
  problem text not null,
  found_at timestamptz not null,
  primary key (account_id, number, problem)
);

-- What the hash covers, as a program outside the database can compute it too.
create function managed_call_text(c managed_call) returns text language sql stable as $$
  select concat_ws(E'\n', c.account_id, c.number, c.phase, c.request_id, c.session_id, c.manager_id, c.manager_email,
    c.manager_name, c.method, c.path, c.summary, c.details::text, coalesce(c.status::text, '-'), coalesce(c.error_code, '-'),
    (extract(epoch from c.at) * 1000000)::bigint, encode(c.previous_hash, 'hex'))
$$;

create function add_managed_call() returns trigger language plpgsql as $$
declare
  head managed_call_head;
begin
  -- Locks the chain, and returns its end as last committed.
  insert into managed_call_head as h (account_id, number, hash) values (new.account_id, 0, '')
    on conflict (account_id) do update set number = h.number returning * into head;
  new.number := head.number + 1;
  new.previous_hash := head.hash;
  new.at := clock_timestamp();
  new.hash := sha256(convert_to(managed_call_text(new), 'UTF8'));
  update managed_call_head set number = new.number, hash = new.hash where account_id = new.account_id;
  return new;
end $$;
create trigger managed_call_add before insert on managed_call for each row execute function add_managed_call();

create function refuse_managed_call_change() returns trigger language plpgsql as $$
begin
  raise exception 'the log of managed calls cannot be changed' using errcode = 'insufficient_privilege';
end $$;
create trigger managed_call_no_update before update on managed_call for each row execute function refuse_managed_call_change();
create trigger managed_call_no_truncate before truncate on managed_call execute function refuse_managed_call_change();

-- By the machine's time, whatever clock the product follows. Only the oldest rows, so that none is missed.
create function purge_managed_call() returns trigger language plpgsql as $$
begin
  if old.at > now() - interval '7 years' then
    raise exception 'the log of managed calls is kept for seven years' using errcode = 'insufficient_privilege';
  end if;
  update managed_call_head set purged_number = old.number, purged_hash = old.hash
    where account_id = old.account_id and purged_number < old.number;
  return old;
end $$;
create trigger managed_call_purge before delete on managed_call for each row execute function purge_managed_call();

-- The head follows the rows, and nothing else.
create function guard_managed_call_head() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' or pg_trigger_depth() < 2 then
    raise exception 'the log of managed calls cannot be changed' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger managed_call_head_guard before update or delete on managed_call_head
  for each row execute function guard_managed_call_head();
create trigger managed_call_head_no_truncate before truncate on managed_call_head
  execute function refuse_managed_call_change();

revoke all on managed_call, managed_call_head, managed_call_break from tideline_app;
