alter table notification
  -- What its action needs to know beside the campaign: of UNDO_CHANGE the group of the changes.
  add column action_detail text,
  -- What was answered to its decision.
  add column answer text,
  -- When it is mailed unless it is read, decided or over before; null once that is settled.
  add column mail_at timestamptz;

-- Two merchants may have the same cause.
alter table notification drop constraint notification_account_id_cause_occasion_key;
create unique index notification_occasion on notification (account_id, coalesce(merchant_id, 0), cause, occasion);
create index notification_unread on notification (account_id) where read_at is null;
create index notification_undecided on notification (account_id) where decision is null and settled_at is null;
create index notification_snoozed on notification (snoozed_until) where snoozed_until is not null;
create index notification_to_mail on notification (mail_at) where mail_at is not null;
drop index notification_of_account;
create index notification_of_account on notification (account_id, created_at desc, id desc);

-- A token is used by the session whose browser got it.
alter table notification_token add column session_id uuid not null references session (id) on delete cascade;
create index notification_token_of_session on notification_token (session_id);
create index notification_token_expires on notification_token (expires_at);
-- The topic under which it was sent: that of the first of a bundle.
alter table push_delivery add column topic text;
