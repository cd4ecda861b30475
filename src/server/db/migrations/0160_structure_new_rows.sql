-- Negatives are made and removed here: what waits is looked up by the job that sends again what was left behind.
create index negative_pending on negative (merchant_id, updated_at) where sync_state = 'PENDING';
-- Rows made here that the marketplace has given no id yet: an import looks among them before it adds rows.
create index target_new on target (merchant_id, profile_id) where amazon_id like 'new:%';
create index negative_new on negative (merchant_id, profile_id) where amazon_id like 'new:%';
