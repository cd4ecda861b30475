-- What was raised of each cause, the last time: so that raising it again pushes once, and its end is noticed.
create table alert (
  merchant_id bigint not null,
  cause text not null,
  profile_id bigint,
  campaign_id bigint,
  kind text not null,
  -- The event of the cause that was pushed; raised again after its end it gets a number.
  occasion text not null,
  times int not null default 1,
  -- By how much it is beyond its threshold: 1 is just so.
  strength real not null,
  -- What was said last; only something else is announced again.
  said text not null,
  raised_at timestamptz not null,
  -- It is over by then, whatever comes; null when only its cause decides.
  ends_at timestamptz,
  settled_at timestamptz,
  primary key (merchant_id, cause)
);
create index alert_open on alert (merchant_id, profile_id) where settled_at is null;
alter table alert enable row level security;
create policy tenant on alert using (merchant_id = any((select current_merchants())::bigint[]));

-- What somebody dismissed as expected or wrong is not raised again for a time, unless it is clearly worse.
create table alert_tolerance (
  merchant_id bigint not null,
  cause text not null,
  strength real not null,
  until timestamptz not null,
  primary key (merchant_id, cause)
);
alter table alert_tolerance enable row level security;
create policy tenant on alert_tolerance using (merchant_id = any((select current_merchants())::bigint[]));

-- When the marketplace was last asked what stops an account's ads.
create table alert_watch (
  merchant_id bigint not null,
  profile_id bigint not null,
  status_at timestamptz not null,
  products_at timestamptz,
  primary key (merchant_id, profile_id)
);
alter table alert_watch enable row level security;
create policy tenant on alert_watch using (merchant_id = any((select current_merchants())::bigint[]));
