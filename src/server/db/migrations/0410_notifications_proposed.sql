-- The number of a proposal that its approval may change: unit, before, after and currency.
alter table notification add column proposed jsonb;
