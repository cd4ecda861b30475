-- What a notification shows beside its text, what it lets a person do, and what became of it.
alter table notification
  add column profile_id bigint,
  add column campaign_id bigint,
  add column evidence jsonb not null default '[]',
  add column stake_micros bigint,
  add column currency text,
  add column actions text[] not null default '{}',
  -- Its cause is over.
  add column settled_at timestamptz,
  add column snoozed_until timestamptz,
  add column decision text check (decision in ('DONE', 'DISMISSED')),
  add column decided_at timestamptz,
  -- The action that was done, or the reason of a dismissal.
  add column decision_detail text,
  -- The group of the changes that its action made, by which they are undone.
  add column change_group uuid;
create index notification_of_cause on notification (merchant_id, cause);

-- Local: what one action of one push may do, once, with the token that only that push carries.
create table notification_token (
  token_hash bytea primary key,
  notification_id bigint not null references notification (id) on delete cascade,
  action text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- What was answered, for a second tap.
  answer jsonb
);
create index notification_token_of_notification on notification_token (notification_id);
revoke all on notification_token from tideline_app;
