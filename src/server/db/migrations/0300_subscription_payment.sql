-- What the payment provider knows of a subscription; null while it is only a trial without a card.
alter table subscription add column stripe_subscription_id text unique;
alter table subscription add column stripe_item_id text;
alter table subscription add column period_started_at timestamptz;
-- The newest invoice that was not paid, and why its last payment failed, in the provider's word.
alter table subscription add column open_invoice_id text;
alter table subscription add column payment_error text;
-- When it was last read from the provider.
alter table subscription add column read_at timestamptz;
create unique index account_stripe_customer on account (stripe_customer_id) where stripe_customer_id is not null;

-- Local: on which plan an account was, and for how long; `is_paid` tells trials apart. The newest is open-ended. The fee on ad
-- spend counts paid days only.
create table subscription_phase (
  account_id bigint not null,
  starts_at timestamptz not null,
  ends_at timestamptz,
  plan_id bigint not null references plan (id),
  is_paid boolean not null,
  primary key (account_id, starts_at),
  check (ends_at is null or ends_at > starts_at)
);
create unique index subscription_phase_open on subscription_phase (account_id) where ends_at is null;
insert into subscription_phase (account_id, starts_at, plan_id, is_paid)
  select account_id, created_at, plan_id, false from subscription where status = 'trialing';

-- Local: a checkout that was begun. At most one of an account is open.
create table checkout (
  session_id text primary key,
  account_id bigint not null,
  plan_id bigint not null references plan (id),
  status text not null check (status in ('open', 'complete', 'expired')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index checkout_open on checkout (account_id) where status = 'open';

-- Local: events of the payment provider, each once. They say what to read again, never what is true.
create table payment_event (
  id text primary key,
  type text not null,
  object_id text,
  customer_id text,
  happened_at timestamptz not null,
  received_at timestamptz not null,
  -- Null until what it is about was read again.
  applied_at timestamptz,
  attempts integer not null default 0,
  failure text
);
create index payment_event_waiting on payment_event (received_at) where applied_at is null;

-- Local: invoices as the provider has them. Amounts in the smallest unit of the currency.
create table invoice (
  id text primary key,
  account_id bigint not null,
  number text,
  status text not null check (status in ('draft', 'open', 'paid', 'uncollectible', 'void')),
  -- What it is for: the plan's price, the fee on ad spend, or something else.
  kind text not null check (kind in ('PLAN', 'AD_SPEND', 'OTHER')),
  currency text not null,
  total bigint not null,
  amount_due bigint not null,
  amount_paid bigint not null,
  period_start timestamptz,
  period_end timestamptz,
  issued_at timestamptz not null,
  due_at timestamptz,
  paid_at timestamptz,
  attempt_count integer not null,
  next_attempt_at timestamptz,
  -- [{description, amount, quantity, periodStart, periodEnd, metadata}]
  lines jsonb not null,
  read_at timestamptz not null
);
create index invoice_account on invoice (account_id, issued_at desc, id);
