-- Every call that a launch made to the marketplace: what was sent and what came back, shortened and without secrets.
create table launch_call (
  merchant_id bigint not null,
  launch_id bigint not null,
  call_no bigint generated always as identity,
  -- The step of the launch, or UNDO.
  step text,
  at timestamptz not null,
  took_ms int not null,
  operation text not null,
  method text not null,
  path text not null,
  outcome text not null check (outcome in ('ANSWERED', 'REFUSED', 'UNREACHED', 'UNKNOWN')),
  status int,
  request_id text,
  message text,
  sent text,
  received text,
  primary key (merchant_id, launch_id, call_no),
  foreign key (merchant_id, launch_id) references launch (merchant_id, id)
);
alter table launch_call enable row level security;
create policy tenant on launch_call using (merchant_id = any(current_merchants()));

alter table launch_step add column started_at timestamptz;
alter table launch_step add column finished_at timestamptz;
