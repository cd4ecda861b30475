-- What is in archived campaigns and ad groups is counted from these few: their ids, and the states of what is in them.
create index campaign_archived on campaign (merchant_id, profile_id, id) where state = 'ARCHIVED';
create index ad_group_archived on ad_group (merchant_id, profile_id, id) where state = 'ARCHIVED';
drop index target_group;
create index target_group on target (merchant_id, ad_group_id) include (kind, state);
