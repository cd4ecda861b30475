-- Ad groups and product ads are edited like campaigns: what waits is looked up by the same job.
create index ad_group_pending on ad_group (merchant_id, updated_at) where sync_state = 'PENDING';
create index product_ad_pending on product_ad (merchant_id, updated_at) where sync_state = 'PENDING';
