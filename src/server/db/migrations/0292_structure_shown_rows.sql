-- Whether a row was ever shown: whether it has figures. Few rows of a large account were, and a list by figures and a chart ask
-- which of these match: what they ask for is in an index of them alone.
alter table campaign add column is_shown boolean not null default false;
alter table ad_group add column is_shown boolean not null default false;
alter table product_ad add column is_shown boolean not null default false;
alter table target add column is_shown boolean not null default false;
update campaign set is_shown = true where (merchant_id, id) in (
  select distinct merchant_id, key from running_sum where entity = 'campaign');
update ad_group set is_shown = true where (merchant_id, id) in (
  select distinct merchant_id, key from running_sum where entity = 'adGroup');
update product_ad set is_shown = true where (merchant_id, id) in (
  select distinct merchant_id, key from running_sum where entity = 'ad');
update target set is_shown = true where (merchant_id, id) in (
  select distinct merchant_id, key from running_sum where entity in ('keyword', 'target'));
create index campaign_shown on campaign (merchant_id, profile_id, id)
  include (state, serving_status, targeting_type, ad_type, portfolio_amazon_id, name_lower) where is_shown;
create index ad_group_shown on ad_group (merchant_id, profile_id, id)
  include (state, serving_status, ad_type, campaign_id, name_lower) where is_shown;
create index product_ad_shown on product_ad (merchant_id, profile_id, id)
  include (state, serving_status, ad_type, campaign_id, ad_group_id) where is_shown;
create index target_shown on target (merchant_id, profile_id, id)
  include (kind, state, match_type, serving_status, ad_type, campaign_id, ad_group_id, text_lower) where is_shown;

-- What has a state is counted from these, within what it is in.
create index ad_group_state on ad_group (merchant_id, profile_id, state, id) include (campaign_id);
create index product_ad_state on product_ad (merchant_id, profile_id, state, id) include (campaign_id, ad_group_id);
