-- When the marketplace says that a negative was added; null where it was not asked or does not say. What its search terms
-- cost before that moment tells what it saves, also for negatives that are older than their account's connection.
alter table negative add column added_at timestamptz;
