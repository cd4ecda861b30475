-- Reference: what can be bought. Money in micro-units of USD, a month.
create table plan (
  id bigint primary key,
  name text not null,
  type text not null unique check (type in ('STARTER', 'GROWTH', 'AGENCY')),
  base_price_micros bigint not null,
  -- Ad spend that the base price covers.
  minimum_taxable_price_micros bigint not null,
  -- Percent of the ad spend above that.
  ad_spend_percentage numeric(5, 2) not null,
  stripe_price_id text
);
insert into plan (id, name, type, base_price_micros, minimum_taxable_price_micros, ad_spend_percentage) values
  (1, 'Starter', 'STARTER', 29000000, 1000000000, 3),
  (2, 'Growth', 'GROWTH', 99000000, 5000000000, 2.5),
  (3, 'Agency', 'AGENCY', 299000000, 20000000000, 2);

-- Local: one a user.
create table subscription (
  id bigint generated always as identity primary key,
  account_id bigint not null unique,
  plan_id bigint not null references plan (id),
  -- The payment provider's own words.
  status text not null check (status in
    ('trialing', 'active', 'past_due', 'unpaid', 'incomplete', 'incomplete_expired', 'canceled', 'paused')),
  trial_started_at timestamptz,
  trial_ends_at timestamptz,
  period_ends_at timestamptz,
  cancel_at_period_end boolean not null default false,
  canceled_at timestamptz,
  past_due_since timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
