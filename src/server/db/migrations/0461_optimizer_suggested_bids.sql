-- What the marketplace suggested to bid, by ad group: the day of the answer, and the high end by target, in micros.
alter table optimizer_group add column suggested jsonb;
