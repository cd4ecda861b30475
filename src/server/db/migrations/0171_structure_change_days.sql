-- The changes of some days, for the marks of a chart.
create index entity_change_at on entity_change (merchant_id, profile_id, at);
