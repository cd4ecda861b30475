-- The days that an import is reading now; null while it reads something else.
alter table seeding_job add column days_from date, add column days_to date;
