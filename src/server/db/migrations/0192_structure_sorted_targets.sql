-- The first page of half a million keywords in any order, without sorting them all: what is equal is in the order of ids.
create index target_keyword_id on target (merchant_id, profile_id, id) where kind = 'KEYWORD';
create index target_keyword_text on target (merchant_id, profile_id, lower(text), id) where kind = 'KEYWORD';
create index target_keyword_bid on target (merchant_id, profile_id, bid_micros, id) where kind = 'KEYWORD';
create index target_keyword_match on target (merchant_id, profile_id, match_type, id) where kind = 'KEYWORD';
create index target_keyword_state on target (merchant_id, profile_id, state, id) where kind = 'KEYWORD';
create index target_keyword_serving on target (merchant_id, profile_id, serving_status, id) where kind = 'KEYWORD';
create index target_keyword_sync on target (merchant_id, profile_id, sync_state, id) where kind = 'KEYWORD';
create index target_keyword_type on target (merchant_id, profile_id, ad_type, id) where kind = 'KEYWORD';
-- The others are few.
create index target_not_keyword on target (merchant_id, profile_id, id) where kind <> 'KEYWORD';
create index target_not_keyword_amazon on target (merchant_id, profile_id, amazon_id) where kind <> 'KEYWORD';
