-- What a search of ads looks into, in small letters: to put it together for each ad takes longer than the rest of a search. As
-- concat_ws(' ', name, asin, sku, asins) has it, which no generated column may use.
alter table product_ad add column text_lower text not null generated always as (lower(substr(
  coalesce(' ' || name, '') || coalesce(' ' || asin, '') || coalesce(' ' || sku, '') || coalesce(' ' || asins::text, ''), 2))) stored;
