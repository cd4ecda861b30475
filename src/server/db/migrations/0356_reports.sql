-- A report that somebody requested, or that a schedule made for one of its periods.
create table performance_report (
  merchant_id bigint not null,
  id bigint generated always as identity,
  profile_id bigint not null,
  marketplace_id bigint not null,
  account_id bigint not null,
  kind text not null,
  format text not null check (format in ('PDF', 'CSV', 'XLSX')),
  date_from date not null,
  date_to date not null,
  branding_profile_id bigint,
  schedule_id bigint,
  status text not null default 'QUEUED' check (status in ('QUEUED', 'RUNNING', 'READY', 'FAILED')),
  -- Of the run that may write: one that was taken for dead writes into nothing.
  run_id uuid,
  -- Whole percent, and what is being done.
  progress int not null default 0 check (progress between 0 and 100),
  step text not null default '',
  -- Why it failed, for the person who requested it.
  problem text,
  file_name text,
  media_type text,
  size_bytes bigint,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- A deleted report can be restored until the next night.
  deleted_at timestamptz,
  primary key (merchant_id, id)
);
-- A period of a schedule has one report, however often its job runs.
create unique index performance_report_period on performance_report (merchant_id, schedule_id, date_from) where schedule_id is not null;
alter table performance_report enable row level security;
create policy tenant on performance_report using (merchant_id = any((select current_merchants())::bigint[]));

-- The file of a report, in parts that fit into memory. In the database: server and worker may be different machines.
create table performance_report_part (
  merchant_id bigint not null,
  report_id bigint not null,
  run_id uuid not null,
  part int not null,
  bytes bytea not null,
  primary key (merchant_id, report_id, run_id, part)
);
alter table performance_report_part enable row level security;
create policy tenant on performance_report_part using (merchant_id = any((select current_merchants())::bigint[]));

-- A report that is made for every week or month and mailed.
create table report_schedule (
  merchant_id bigint not null,
  id bigint generated always as identity,
  profile_id bigint not null,
  marketplace_id bigint not null,
  account_id bigint not null,
  kind text not null,
  format text not null check (format in ('PDF', 'CSV', 'XLSX')),
  branding_profile_id bigint,
  frequency text not null check (frequency in ('WEEKLY', 'MONTHLY')),
  -- When the next report is made.
  next_at timestamptz not null,
  is_paused boolean not null default false,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
create index report_schedule_due on report_schedule (next_at) where not is_paused;
alter table report_schedule enable row level security;
create policy tenant on report_schedule using (merchant_id = any((select current_merchants())::bigint[]));

-- A file that a mail carries; deleted with its text.
alter table mail_outbox add column attachment bytea;
alter table mail_outbox add column attachment_name text;
alter table mail_outbox add column attachment_type text;
