-- Sponsored Brands and Sponsored Display are mirrored like Sponsored Products, which is all there was until now: every row
-- names its ad type, so that lists, imports and edits need not look it up at the campaign.
alter table campaign add column lifetime_budget_micros bigint;
alter table campaign add column cost_type text;
alter table campaign add column tactic text;
alter table ad_group add column ad_type text not null default 'SPONSORED_PRODUCTS';
alter table ad_group add column bid_optimization text;
alter table product_ad add column ad_type text not null default 'SPONSORED_PRODUCTS';
-- The headline of Sponsored Brands, the products that the ad shows, and its format.
alter table product_ad add column name text;
alter table product_ad add column asins jsonb;
alter table product_ad add column format text;
alter table target add column ad_type text not null default 'SPONSORED_PRODUCTS';
alter table target drop constraint target_kind_check;
alter table target add constraint target_kind_check check (kind in ('KEYWORD', 'PRODUCT', 'AUTO', 'AUDIENCE'));
alter table negative add column ad_type text not null default 'SPONSORED_PRODUCTS';
