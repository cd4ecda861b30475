-- The campaign that an account has begun for an advertising account.
create table campaign_draft (
  merchant_id bigint not null,
  account_id bigint not null,
  profile_id bigint not null,
  draft_id text not null,
  -- By the clock of the device that changed it.
  changed_at timestamptz not null,
  state jsonb not null,
  primary key (merchant_id, account_id, profile_id)
);
alter table campaign_draft enable row level security;
create policy tenant on campaign_draft using (merchant_id = any(current_merchants()));
