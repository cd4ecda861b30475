-- The marketplace's own rules of a group's campaigns, [campaign, kind, raise], as they were read last; null before the first time.
alter table optimizer_group add column rules jsonb;
alter table optimizer_group add column rules_at timestamptz;
