-- Each raise of a campaign's budget for one day. Several of a day stand on one another: each begins at what the one before
-- raised to, and all go back together to where the first began.
create table budget_rescue (
  merchant_id bigint not null,
  id bigint generated always as identity,
  profile_id bigint not null,
  campaign_id bigint not null,
  before_micros bigint not null,
  raised_micros bigint not null check (raised_micros > before_micros),
  -- The group of the raise in the ledger.
  group_id uuid not null,
  account_id bigint not null,
  began_at timestamptz not null,
  -- The midnight of the profile at which it goes back.
  until_at timestamptz not null,
  ended_at timestamptz,
  -- RETURNED by itself, REVERTED by a person before, LEFT because somebody else changed the budget meanwhile.
  outcome text check (outcome in ('RETURNED', 'REVERTED', 'LEFT')),
  -- When its return was last tried.
  tried_at timestamptz,
  primary key (merchant_id, id),
  check ((ended_at is null) = (outcome is null))
);
create index budget_rescue_of_campaign on budget_rescue (merchant_id, campaign_id, id);
create index budget_rescue_due on budget_rescue (until_at) where ended_at is null;
alter table budget_rescue enable row level security;
create policy tenant on budget_rescue using (merchant_id = any((select current_merchants())::bigint[]));
