-- What the engine assumes of a group instead of the usual numbers, null: those; and the month in which that was last looked at.
alter table optimizer_group add column fit jsonb;
alter table optimizer_group add column fit_month date;
