-- Most rows are of Sponsored Products. What is of the others is found by these: figures are replaced by ad type.
create index campaign_other_type on campaign (merchant_id, profile_id, ad_type, id) where ad_type <> 'SPONSORED_PRODUCTS';
create index ad_group_other_type on ad_group (merchant_id, profile_id, ad_type, id) where ad_type <> 'SPONSORED_PRODUCTS';
create index product_ad_other_type on product_ad (merchant_id, profile_id, ad_type, id) where ad_type <> 'SPONSORED_PRODUCTS';
create index target_other_type on target (merchant_id, profile_id, ad_type, id) where ad_type <> 'SPONSORED_PRODUCTS';
