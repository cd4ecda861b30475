-- Campaigns that were taken over together. What the seller set is in `settings`, what the engine remembers in `memory`.
create table optimizer_group (
  merchant_id bigint not null,
  id bigint generated always as identity,
  profile_id bigint not null,
  name text not null,
  state text not null check (state in ('SHADOW', 'RUNNING', 'STOPPED')),
  settings jsonb not null,
  -- Kinds of changes that are proposed; until `asks_until` only because the group is new, null where they were set by hand.
  asks text[] not null,
  asks_until date,
  -- Kinds that are proposed because they were undone too often.
  taught text[] not null default '{}',
  memory jsonb not null default '{}',
  -- Who took it over; null of a person who left.
  account_id bigint,
  taken_over_at timestamptz not null,
  -- Until then it sends nothing.
  shadow_until timestamptz not null,
  started_at timestamptz,
  stopped_at timestamptz,
  primary key (merchant_id, id),
  check ((state = 'STOPPED') = (stopped_at is not null))
);
create index optimizer_group_of_profile on optimizer_group (merchant_id, profile_id);
create index optimizer_group_working on optimizer_group (merchant_id, id) where state <> 'STOPPED';

create table optimizer_campaign (
  merchant_id bigint not null,
  group_id bigint not null,
  campaign_id bigint not null,
  left_at timestamptz,
  primary key (merchant_id, group_id, campaign_id),
  foreign key (merchant_id, group_id) references optimizer_group (merchant_id, id) on delete cascade
);
-- Two groups never work on one campaign.
create unique index optimizer_campaign_once on optimizer_campaign (merchant_id, campaign_id) where left_at is null;

-- What everything in a group was on the day of take-over, by the names and units of the entity's own answers.
create table optimizer_snapshot (
  merchant_id bigint not null,
  group_id bigint not null,
  entity text not null check (entity in ('campaign', 'adGroup', 'target', 'negative')),
  entity_id bigint not null,
  campaign_id bigint not null,
  value jsonb not null,
  primary key (merchant_id, group_id, entity, entity_id),
  foreign key (merchant_id, group_id) references optimizer_group (merchant_id, id) on delete cascade
);

-- One for each group and day, in the shadow and for real: written with its decisions and the memory, all or nothing.
create table optimizer_run (
  merchant_id bigint not null,
  group_id bigint not null,
  day date not null,
  is_shadow boolean not null,
  at timestamptz not null,
  outcome text not null check (outcome in ('DECIDED', 'NOTHING', 'HELD')),
  cause text,
  decisions int not null,
  -- Until when the reports reached that it read.
  reported_at timestamptz,
  forecast_acos double precision,
  engine_version int not null,
  settings_hash text not null,
  primary key (merchant_id, group_id, day, is_shadow),
  foreign key (merchant_id, group_id) references optimizer_group (merchant_id, id) on delete cascade
);

-- One row for each decision, as data. Amounts in micros; `before` and `after` as the engine names them.
create table optimizer_decision (
  merchant_id bigint not null,
  id bigint generated always as identity,
  profile_id bigint not null,
  group_id bigint not null,
  day date not null,
  at timestamptz not null,
  -- What is done and undone together.
  decision_group text not null,
  kind text not null,
  cause text not null,
  entity text not null check (entity in ('target', 'campaign', 'adGroup', 'group')),
  entity_id bigint,
  campaign_id bigint,
  before jsonb,
  after jsonb,
  evidence jsonb not null,
  forecast jsonb,
  asks boolean not null,
  engine_version int not null,
  settings_hash text not null,
  state text not null check (state in
    ('SHADOW', 'PROPOSED', 'QUEUED', 'SENT', 'CONFIRMED', 'FAILED', 'UNDONE', 'SUPERSEDED', 'REJECTED', 'EXPIRED')),
  -- What the marketplace, or a rule, said to a change that was not taken.
  answer text,
  -- The group of its changes in the ledger, and the keyword or negative that it created.
  change_group uuid,
  created_id bigint,
  sent_at timestamptz,
  confirmed_at timestamptz,
  expires_at timestamptz,
  -- Who approved, rejected or undid it.
  settled_at timestamptz,
  account_id bigint,
  reason text,
  receipt jsonb,
  primary key (merchant_id, id),
  foreign key (merchant_id, group_id) references optimizer_group (merchant_id, id) on delete cascade
);
create index optimizer_decision_of_group on optimizer_decision (merchant_id, group_id, id desc);
create index optimizer_decision_of_profile on optimizer_decision (merchant_id, profile_id, id desc);
create index optimizer_decision_of_campaign on optimizer_decision (merchant_id, campaign_id, id desc);
create index optimizer_decision_together on optimizer_decision (merchant_id, group_id, decision_group);
create index optimizer_decision_waiting on optimizer_decision (merchant_id, group_id, state)
  where state in ('QUEUED', 'SENT', 'PROPOSED');

-- What is left alone before a day: a target or campaign, or a search of an ad group.
create table optimizer_pin (
  merchant_id bigint not null,
  id bigint generated always as identity,
  group_id bigint not null,
  entity text not null check (entity in ('target', 'campaign', 'adGroup')),
  entity_id bigint not null,
  -- The search that an ad group is asked to leave alone; empty for all of the entity.
  term text not null default '',
  reason text not null check (reason in ('HAND', 'UNDONE', 'REJECTED')),
  -- The change in the ledger, or the decision, that it came from: each pins once.
  source text not null,
  since timestamptz not null,
  until_day date not null,
  ended_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, group_id, source),
  foreign key (merchant_id, group_id) references optimizer_group (merchant_id, id) on delete cascade
);

alter table optimizer_group enable row level security;
create policy tenant on optimizer_group using (merchant_id = any((select current_merchants())::bigint[]));
alter table optimizer_campaign enable row level security;
create policy tenant on optimizer_campaign using (merchant_id = any((select current_merchants())::bigint[]));
alter table optimizer_snapshot enable row level security;
create policy tenant on optimizer_snapshot using (merchant_id = any((select current_merchants())::bigint[]));
alter table optimizer_run enable row level security;
create policy tenant on optimizer_run using (merchant_id = any((select current_merchants())::bigint[]));
alter table optimizer_decision enable row level security;
create policy tenant on optimizer_decision using (merchant_id = any((select current_merchants())::bigint[]));
alter table optimizer_pin enable row level security;
create policy tenant on optimizer_pin using (merchant_id = any((select current_merchants())::bigint[]));
