-- Local: notifications of a user, about a merchant or (without one) about the account. A push is only a copy.
create table notification (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  merchant_id bigint,
  kind text not null check (kind in ('LAUNCH_FINISHED', 'LAUNCH_FAILED', 'BUDGET_PACING', 'OUT_OF_BUDGET', 'SPEND_SPIKE',
    'NO_SALES', 'PAYMENT_PROBLEM', 'CONNECTION_LOST', 'EXTERNAL_CHANGE', 'PRODUCT_INELIGIBLE', 'REPORT_READY',
    'INVOICE_READY', 'TRIAL_ENDING', 'SEEDING_FINISHED')),
  -- The cause: a later notification of the same cause replaces an unseen one.
  cause text not null check (cause ~ '^[A-Za-z0-9_-]{1,32}$'),
  -- Identifies one event of the cause, so that it is sent once.
  occasion text not null,
  title text not null,
  body text not null,
  url text not null,
  created_at timestamptz not null,
  read_at timestamptz,
  -- From then on nobody needs to be disturbed with it.
  push_until timestamptz not null,
  unique (account_id, cause, occasion)
);
create index notification_of_account on notification (account_id, id desc);
create index notification_of_merchant on notification (merchant_id);
alter table notification enable row level security;
create policy tenant on notification using (merchant_id is null or merchant_id = any(current_merchants()));

-- Local: a browser that takes pushes, for as long as the log-in lasts in which it was last seen. Its keys are sealed.
create table push_subscription (
  id bigint generated always as identity primary key,
  account_id bigint not null references account (id) on delete cascade,
  session_id uuid not null references session (id) on delete cascade,
  endpoint text not null unique,
  keys_sealed text not null,
  -- Which of our own keys it was made with.
  key_id text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null
);
create index push_subscription_of_account on push_subscription (account_id);
create index push_subscription_of_session on push_subscription (session_id);

-- Local: a notification on its way to one browser. It is gone with the browser.
create table push_delivery (
  notification_id bigint not null references notification (id) on delete cascade,
  subscription_id bigint not null references push_subscription (id) on delete cascade,
  -- ACCEPTED: the push service has it. REFUSED: by our fault. EXPIRED: not before it stopped to matter.
  state text not null default 'PENDING' check (state in ('PENDING', 'ACCEPTED', 'REFUSED', 'EXPIRED')),
  attempts int not null default 0,
  last_error text,
  settled_at timestamptz,
  primary key (notification_id, subscription_id)
);
create index push_delivery_of_subscription on push_delivery (subscription_id);

revoke all on push_subscription, push_delivery from tideline_app;
