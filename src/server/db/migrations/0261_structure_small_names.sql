-- Names in small letters are stored, as the texts of targets are: lower() takes longer than the rest of a search.
drop index campaign_name;
alter table campaign add column name_lower text not null generated always as (lower(name)) stored;
create index campaign_name on campaign (merchant_id, profile_id, name_lower, id);
drop index ad_group_name;
alter table ad_group add column name_lower text not null generated always as (lower(name)) stored;
create index ad_group_name on ad_group (merchant_id, profile_id, name_lower, id);
