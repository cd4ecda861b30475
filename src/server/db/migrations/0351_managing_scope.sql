-- Local: campaign managers who see only the users assigned to them; the others see all.
create table manager_limit (
  manager_id bigint primary key references account (id) on delete cascade,
  limited_at timestamptz not null,
  limited_by bigint references account (id) on delete set null
);
create table manager_assignment (
  manager_id bigint not null references manager_limit (manager_id) on delete cascade,
  account_id bigint not null references account (id) on delete cascade,
  primary key (manager_id, account_id)
);
create index manager_assignment_account on manager_assignment (account_id);

revoke all on manager_limit, manager_assignment from tideline_app;
