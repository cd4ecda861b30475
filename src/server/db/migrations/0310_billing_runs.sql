-- Local: on which days an advertising account was under an account's management, as seen every hour. The fee on ad spend
-- counts these days only, also after the seller was disconnected.
create table billing_profile (
  account_id bigint not null,
  -- Not called merchant_id: what was charged is kept when a disconnected merchant's data is deleted.
  of_merchant bigint not null,
  profile_id bigint not null,
  -- In the advertising account's own days.
  from_day date not null,
  to_day date not null,
  account_name text not null,
  country_code text not null,
  currency text not null,
  timezone text not null,
  -- In hundredths of a percent; null takes the plan's.
  basis_points integer,
  primary key (account_id, of_merchant, profile_id, from_day)
);

-- Local: the fee on ad spend of an account's calendar month, once it is closed.
create table billing_run (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  -- The first day of the month.
  period date not null,
  -- 0 is the month itself; 1, 2 … are what restated figures changed of it since.
  revision integer not null,
  -- CARRIED: goes to the invoice of `invoiced_with`, once there is one. ISSUING: an invoice is being made. INVOICED: it is final.
  state text not null check (state in ('CARRIED', 'ISSUING', 'INVOICED')),
  -- The included spend: the sum over paid days of what the day's plan includes a month, in micros of USD.
  included_micro_days bigint not null,
  -- In cents of USD. Of a revision: what it adds to those before.
  fee_cents bigint not null,
  invoiced_with bigint references billing_run (id),
  -- Whom the provider charges; stays the same once the first call was made.
  customer_id text,
  -- What the invoice of this run must add up to.
  invoice_cents bigint,
  invoice_id text unique,
  leased_until timestamptz,
  holder text,
  frozen_at timestamptz not null,
  invoiced_at timestamptz,
  unique (account_id, period, revision),
  check ((state = 'INVOICED') = (invoice_id is not null)),
  check ((state = 'CARRIED') = (invoice_cents is null))
);
create index billing_run_open on billing_run (account_id) where state = 'ISSUING';

-- Local: days of one advertising account on one plan, as they were charged.
create table billing_line (
  run_id bigint not null references billing_run (id),
  position integer not null,
  of_merchant bigint not null,
  profile_id bigint not null,
  account_name text not null,
  country_code text not null,
  currency text not null,
  from_day date not null,
  to_day date not null,
  plan_id bigint not null references plan (id),
  -- What the plan includes a month, in micros of USD.
  minimum_taxable_micros bigint not null,
  basis_points integer not null,
  -- In micros of its currency.
  spend_micros bigint not null,
  -- What a euro was worth on the day of the rates, in hundred-millionths; null where the central bank has no such rate.
  rate_day date not null,
  own_rate bigint,
  usd_rate bigint not null,
  fee_cents bigint not null,
  primary key (run_id, position)
);
