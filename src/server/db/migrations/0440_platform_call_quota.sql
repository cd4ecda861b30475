-- Local: how much of each quota of an outside service is used, by all processes together. Its loss in a crash costs at most
-- one burst too many, so it is not logged.
create unlogged table call_quota (
  key text primary key,
  -- When the bucket is full again if nothing more is taken from it.
  full_at timestamptz not null,
  -- Nothing may be taken before, because the service said so.
  paused_until timestamptz not null default '-infinity'
) with (fillfactor = 50);
revoke all on call_quota from tideline_app;

-- Takes at most `most` tokens of a bucket that holds `burst` and gains `per_second`. Where it takes fewer, `wait_ms` says
-- when the next one is there. A function, because the moment must be read while the row is locked.
create function take_calls(quota text, most int, per_second float8, burst int, out granted int, out wait_ms int)
language plpgsql as $$
declare
  bucket call_quota;
  moment timestamptz;
  begins timestamptz;
  missing float8;
begin
  insert into call_quota (key, full_at) values (quota, '-infinity') on conflict do nothing;
  select * into bucket from call_quota where key = quota for update;
  moment := clock_timestamp();
  if bucket.paused_until > moment then
    granted := 0;
    wait_ms := ceil(extract(epoch from bucket.paused_until - moment) * 1000);
    return;
  end if;
  begins := greatest(bucket.full_at, moment);
  missing := extract(epoch from begins - moment) * per_second;
  granted := greatest(0, least(most, floor(burst - missing)));
  wait_ms := case when granted < most then greatest(1, ceil((missing + granted + 1 - burst) / per_second * 1000)) else 0 end;
  if granted > 0 then
    update call_quota set full_at = begins + make_interval(secs => granted / per_second) where key = quota;
  end if;
end $$;
