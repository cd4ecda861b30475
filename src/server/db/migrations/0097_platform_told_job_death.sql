-- Jobs whose final failure was reported to their feature. A job whose process was killed in its last attempt could not
-- report it; a sweep over the dead letters does, and must not report the others again.
create table told_job_death (
  job_id uuid primary key,
  told_at timestamptz not null default now()
);
-- Jobs that failed before this table existed are not reported again.
do $$ begin
  if to_regclass('jobs.job') is not null then
    execute 'insert into told_job_death (job_id) select distinct source_id from jobs.job where name = ''dead-letters'' and source_id is not null';
  end if;
end $$;
