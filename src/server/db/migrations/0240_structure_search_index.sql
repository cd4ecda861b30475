-- With the text itself in the index, a search reads its small letters from there and needs neither the rows nor lower(),
-- which takes longer than everything else. The same indexes serve the order by text.
drop index target_keyword_text;
create index target_keyword_text on target (merchant_id, profile_id, lower(text), id) include (text) where kind = 'KEYWORD';
drop index campaign_name;
create index campaign_name on campaign (merchant_id, profile_id, lower(name), id) include (name);
create index ad_group_name on ad_group (merchant_id, profile_id, lower(name), id) include (name);
