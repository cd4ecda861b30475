-- Changes that wait to be taken by the marketplace: looked up by the job that sends again what was left behind.
create index campaign_pending on campaign (merchant_id, updated_at) where sync_state = 'PENDING';
create index target_pending on target (merchant_id, updated_at) where sync_state = 'PENDING';
