-- Local: who belongs to which merchant. No foreign key: merchants are tenants' rows and live apart.
create table membership (
  account_id bigint not null,
  merchant_id bigint not null,
  role text not null check (role in ('OWNER', 'VIEWER')),
  created_at timestamptz not null default now(),
  -- Set while the merchant is disconnected.
  ended_at timestamptz,
  primary key (account_id, merchant_id)
);
create index membership_merchant on membership (merchant_id);

-- Local: which merchant holds a seller of the marketplace, so that no two ever hold the same.
create table seller_claim (
  region text not null check (region in ('NA', 'EU', 'FE')),
  selling_partner_id text not null,
  merchant_id bigint not null,
  -- A seller has one trial, whichever user connects it.
  trial_used_at timestamptz,
  primary key (region, selling_partner_id)
);
create index seller_claim_merchant on seller_claim (merchant_id);

-- Local: consents under way. Only the hash of the state is kept.
create table oauth_state (
  state_hash text primary key,
  account_id bigint not null,
  kind text not null check (kind in ('AMAZON_ADS', 'SELLING_PARTNER')),
  region text not null check (region in ('NA', 'EU', 'FE')),
  merchant_id bigint,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_state_account on oauth_state (account_id);

create table merchant (
  merchant_id bigint generated always as identity primary key,
  name text not null,
  account_type text not null check (account_type in ('SELLER', 'VENDOR')),
  region text not null check (region in ('NA', 'EU', 'FE')),
  selling_partner_id text not null,
  created_at timestamptz not null default now(),
  disconnected_at timestamptz,
  data_kept_until timestamptz
);
alter table merchant enable row level security;
create policy tenant on merchant using (merchant_id = any(current_merchants()));

create table merchant_marketplace (
  merchant_id bigint not null,
  marketplace_id int not null,
  is_participating boolean not null,
  has_suspended_listings boolean not null,
  primary key (merchant_id, marketplace_id)
);
alter table merchant_marketplace enable row level security;
create policy tenant on merchant_marketplace using (merchant_id = any(current_merchants()));

create table connection (
  merchant_id bigint not null,
  id bigint generated always as identity,
  kind text not null check (kind in ('AMAZON_ADS', 'SELLING_PARTNER')),
  region text not null check (region in ('NA', 'EU', 'FE')),
  granted_by bigint not null,
  refresh_token_sealed text,
  access_token_sealed text,
  access_token_expires_at timestamptz,
  -- Who renews the access token holds this for a moment, so that no two processes do.
  renewing_until timestamptz,
  health text not null default 'CONNECTED' check (health in ('CONNECTED', 'LOST', 'DISCONNECTED')),
  lost_at timestamptz,
  connected_at timestamptz not null default now(),
  primary key (merchant_id, id),
  unique (merchant_id, kind)
);
alter table connection enable row level security;
create policy tenant on connection using (merchant_id = any(current_merchants()));

create table ads_profile (
  merchant_id bigint not null,
  id bigint generated always as identity,
  connection_id bigint not null,
  amazon_profile_id text not null,
  region text not null,
  marketplace_id int not null,
  country_code text not null,
  currency text not null,
  timezone text not null,
  account_name text not null,
  account_type text not null check (account_type in ('SELLER', 'VENDOR')),
  account_sub_type text,
  valid_payment_method boolean not null,
  daily_budget_micros bigint,
  campaign_prefix text,
  -- Percent of spend above the plan's allowance; null takes the plan's.
  ad_spend_percentage numeric(5, 2),
  is_managed boolean not null default false,
  managed_at timestamptz,
  last_fetched timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (merchant_id, id),
  unique (merchant_id, amazon_profile_id),
  foreign key (merchant_id, connection_id) references connection (merchant_id, id)
);
alter table ads_profile enable row level security;
create policy tenant on ads_profile using (merchant_id = any(current_merchants()));
