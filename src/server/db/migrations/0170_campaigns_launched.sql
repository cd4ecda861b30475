-- When a launch of ours created the campaign; null for all others.
alter table campaign add column launched_at timestamptz;
create index campaign_launched on campaign (merchant_id, profile_id, launched_at) where launched_at is not null;
