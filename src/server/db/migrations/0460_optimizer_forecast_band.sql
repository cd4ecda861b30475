-- Where the ACOS of the week before a run was forecast to settle in 80 of 100 cases, as fractions; null where too few orders are
-- to be expected of it.
alter table optimizer_run add column forecast_low double precision;
alter table optimizer_run add column forecast_high double precision;
