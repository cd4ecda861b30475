-- Counts the keywords or targets of an account without reading their rows.
create index target_profile on target (merchant_id, profile_id, kind, state);
