-- The list of product targets and automatic groups can be sorted by their kind.
create index target_not_keyword_kind on target (merchant_id, profile_id, kind, id) where kind <> 'KEYWORD';
