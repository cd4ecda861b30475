-- Local: invitations to view merchants. Only the hash of the token in the mail is kept.
create table invitation (
  id bigint generated always as identity primary key,
  invited_by bigint not null,
  -- In lower case.
  email text not null,
  token_hash text not null unique,
  merchant_ids bigint[] not null check (cardinality(merchant_ids) > 0),
  created_at timestamptz not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  outcome text check (outcome in ('ACCEPTED', 'DECLINED', 'REVOKED')),
  settled_at timestamptz check ((settled_at is null) = (outcome is null))
);
create index invitation_merchants on invitation using gin (merchant_ids);
