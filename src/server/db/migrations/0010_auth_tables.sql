-- Local: who may log in.
create table account (
  id bigint generated always as identity primary key,
  email text not null check (email = lower(email)),
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  account_type text not null check (account_type in ('VENDOR', 'SELLER', 'AGENCY')),
  affiliate_code text,
  locale text not null default 'en',
  timezone text not null default 'UTC',
  email_verified_at timestamptz,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED')),
  current_merchant_id bigint,
  current_marketplace_id int,
  trial_started_at timestamptz,
  trial_ends_at timestamptz,
  has_used_trial boolean not null default false,
  stripe_customer_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index account_email on account (lower(email));

-- Local: what an account may do follows from its roles (the feature's rules say how).
create table account_role (
  account_id bigint not null references account (id) on delete cascade,
  role text not null check (role in ('OWNER', 'AGENCY', 'VIEWER', 'CAMPAIGN_MANAGER', 'ADMIN')),
  granted_at timestamptz not null default now(),
  primary key (account_id, role)
);

-- Local: one log-in on one device. It ends at a fixed time, however often its tokens are renewed.
create table session (
  id uuid primary key,
  account_id bigint not null references account (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('LOGOUT', 'PASSWORD_CHANGED', 'PASSWORD_RESET', 'TOKEN_REUSED'))
);
create index session_account on session (account_id);
create index session_expires on session (expires_at);

-- Local: every refresh token of a session, hashed; a used one that comes back is a sign of theft.
create table refresh_token (
  token_hash text primary key,
  session_id uuid not null references session (id) on delete cascade,
  issued_at timestamptz not null,
  used_at timestamptz
);
create index refresh_token_session on refresh_token (session_id);

-- Local: links sent by mail, hashed; one an account and purpose, so that the newest wins.
create table auth_token (
  account_id bigint not null references account (id) on delete cascade,
  purpose text not null check (purpose in ('VERIFY_EMAIL', 'RESET_PASSWORD')),
  token_hash text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, purpose)
);

-- Local: tries counted against guessing; the columns are those of rate-limiter-flexible.
create table auth_attempt (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index auth_attempt_expire on auth_attempt (expire);

revoke all on account_role, session, refresh_token, auth_token, auth_attempt from tideline_app;
