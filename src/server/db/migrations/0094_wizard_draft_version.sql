-- Counts the changes of a draft, so that a device whose clock is wrong can tell what it has seen.
alter table campaign_draft add column version int not null default 1;
