-- Whether a target was ever shown: whether it has figures. Few of an account's targets were, and a list by figures asks which
-- of these match: all that it asks for is in an index of them alone.
alter table target add column is_shown boolean not null default false;
update target set is_shown = true where (merchant_id, id) in (
  select distinct merchant_id, key from running_sum where entity in ('keyword', 'target'));
create index target_shown on target (merchant_id, profile_id, id)
  include (kind, state, match_type, serving_status, ad_type, campaign_id, ad_group_id, text_lower) where is_shown;
