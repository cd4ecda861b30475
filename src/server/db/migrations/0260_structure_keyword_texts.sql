-- One index for the order by text, the search and the keyword that covers a search term. 0240 and 0250 made two.
drop index target_keyword_text;
drop index target_text_lower;
create index target_kind_text on target (merchant_id, profile_id, kind, text_lower, id);
create index target_not_keyword_text on target (merchant_id, profile_id, text_lower, id) where kind <> 'KEYWORD';
-- Of keywords with figures the usual filters are met from the index.
drop index target_keyword_id;
create index target_keyword_id on target (merchant_id, profile_id, id) include (state, match_type, campaign_id, ad_group_id)
  where kind = 'KEYWORD';

-- The texts that an account's keywords have or had, each usually once: a search looks into these, and finds the keywords by
-- text. Each save of keywords adds theirs. Two transactions that add the same text both add it, so that none waits for the
-- other.
create table keyword_text (
  merchant_id bigint not null,
  profile_id bigint not null,
  text_lower text not null
);
create index keyword_text_text on keyword_text (merchant_id, profile_id, text_lower);
alter table keyword_text enable row level security;
create policy tenant on keyword_text using (merchant_id = any((select current_merchants())::bigint[]));

insert into keyword_text select distinct merchant_id, profile_id, text_lower from target where kind = 'KEYWORD';
