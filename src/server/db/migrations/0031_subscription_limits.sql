-- What a plan allows; null where there is no limit. Ad spend is that of 30 days, in micro-units of USD.
alter table plan add column max_merchants integer;
alter table plan add column max_profiles integer;
alter table plan add column max_spend_micros bigint;
update plan set max_merchants = 1, max_profiles = 5, max_spend_micros = 5000000000 where type = 'STARTER';
update plan set max_merchants = 5, max_profiles = 25, max_spend_micros = 20000000000 where type = 'GROWTH';
-- The limits of a plan count from the day it was chosen.
alter table subscription add column plan_since timestamptz not null default now();
update subscription set plan_since = created_at;
