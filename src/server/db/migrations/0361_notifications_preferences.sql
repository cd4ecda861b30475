-- Local: what a user chose for a kind of notification; a kind without a row is as its defaults say.
create table notification_preference (
  account_id bigint not null references account (id) on delete cascade,
  kind text not null,
  in_app boolean not null,
  push boolean not null,
  email text not null check (email in ('NEVER', 'INSTEAD', 'ALWAYS')),
  -- What must be reached before this user is notified, in the unit of the kind; null: as soon as the rules raise it.
  threshold double precision,
  rings_in_quiet_hours boolean not null,
  primary key (account_id, kind)
);

-- Local: when a user is not to be disturbed, and the mail with what they have not read.
create table notification_rhythm (
  account_id bigint primary key references account (id) on delete cascade,
  -- Times of day in the user's time zone, as 22:00; null: no quiet hours.
  quiet_from text,
  quiet_to text,
  digest text not null default 'OFF' check (digest in ('OFF', 'DAILY', 'WEEKLY')),
  digest_hour int not null default 8,
  -- 1 is Monday.
  digest_weekday int not null default 1,
  -- The day in the user's time zone whose digest was made last.
  digest_day date,
  check ((quiet_from is null) = (quiet_to is null))
);
create index notification_rhythm_digest on notification_rhythm (digest) where digest <> 'OFF';

-- False: its user wants this kind in no list; it may still be pushed or mailed.
alter table notification add column is_listed boolean not null default true;

revoke all on notification_preference, notification_rhythm from tideline_app;
