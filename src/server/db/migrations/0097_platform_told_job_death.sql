-- Jobs whose end for good was told to their feature. One whose process was killed in its last try could not tell it
-- itself; a sweep over the dead letters finds it, and must not tell the others again.
create table told_job_death (
  job_id uuid primary key,
  told_at timestamptz not null default now()
);
-- What died before deaths were noted was told as it could be; nobody asks for it a second time.
do $$ begin
  if to_regclass('jobs.job') is not null then
    execute 'insert into told_job_death (job_id) select distinct source_id from jobs.job where name = ''dead-letters'' and source_id is not null';
  end if;
end $$;
