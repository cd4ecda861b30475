-- The filter by state asks where a keyword is, too: what is in an archived campaign or ad group is archived.
drop index target_keyword_state;
create index target_keyword_state on target (merchant_id, profile_id, state, id) include (campaign_id, ad_group_id)
  where kind = 'KEYWORD';
