create table launch (
  merchant_id bigint not null,
  id bigint generated always as identity,
  profile_id bigint not null,
  account_id bigint not null,
  idempotency_key text not null,
  body_hash text not null,
  campaign_name text not null,
  template text not null,
  payload jsonb not null,
  -- Null until the recommendations are in.
  plan jsonb,
  status text not null default 'PENDING' check (status in ('PENDING', 'IN_PROGRESS', 'COMPLETED', 'PARTIAL', 'FAILED')),
  undo text check (undo in ('PENDING', 'DONE', 'PARTIAL')),
  -- The worker holds the launch until then; the next worker that finds it expired takes over.
  lease_token text,
  lease_until timestamptz,
  waits int not null default 0,
  waiting_until timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, account_id, idempotency_key)
);
create index launch_of_profile on launch (merchant_id, profile_id, id desc);
alter table launch enable row level security;
create policy tenant on launch using (merchant_id = any(current_merchants()));

-- The names that launches have taken, so that two at once cannot take the same.
create table launch_name (
  merchant_id bigint not null,
  profile_id bigint not null,
  name text not null,
  launch_id bigint not null,
  primary key (merchant_id, profile_id, name),
  foreign key (merchant_id, launch_id) references launch (merchant_id, id)
);
create index launch_name_of_launch on launch_name (merchant_id, launch_id);
alter table launch_name enable row level security;
create policy tenant on launch_name using (merchant_id = any(current_merchants()));

create table launch_step (
  merchant_id bigint not null,
  launch_id bigint not null,
  position int not null,
  name text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'IN_PROGRESS', 'COMPLETED', 'PARTIAL', 'FAILED', 'SKIPPED')),
  -- What stopped the step as a whole; items carry their own.
  reason text,
  message text,
  primary key (merchant_id, launch_id, position),
  foreign key (merchant_id, launch_id) references launch (merchant_id, id)
);
alter table launch_step enable row level security;
create policy tenant on launch_step using (merchant_id = any(current_merchants()));

-- The journal: SENDING is written before a call, the outcome after it.
create table launch_item (
  merchant_id bigint not null,
  launch_id bigint not null,
  item_no int not null,
  step text not null,
  key text not null,
  parent_key text,
  label text not null,
  content jsonb not null,
  state text not null default 'PLANNED' check (state in ('PLANNED', 'SENDING', 'CREATED', 'FAILED', 'SKIPPED', 'ARCHIVED')),
  amazon_id text,
  reason text,
  message text,
  attempts int not null default 0,
  sent_at timestamptz,
  -- True once the mirror of the account's structure has it.
  saved boolean not null default false,
  primary key (merchant_id, launch_id, item_no),
  unique (merchant_id, launch_id, key),
  foreign key (merchant_id, launch_id) references launch (merchant_id, id)
);
alter table launch_item enable row level security;
create policy tenant on launch_item using (merchant_id = any(current_merchants()));
