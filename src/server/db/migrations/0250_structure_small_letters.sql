-- The keyword that covers a search term is looked up by its text in small letters. Under row-level security no index on
-- lower(text) is read for a value, because lower() is not leakproof; one on a column of its own is.
alter table target add column text_lower text not null generated always as (lower(text)) stored;
create index target_text_lower on target (merchant_id, profile_id, text_lower);
