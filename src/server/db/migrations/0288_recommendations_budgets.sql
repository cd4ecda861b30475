-- The daily budget that the marketplace recommends for a campaign is kept as its other recommendations are; the subject is
-- the campaign's id.
alter table recommendation_answer drop constraint recommendation_answer_kind_check;
alter table recommendation_answer add constraint recommendation_answer_kind_check
  check (kind in ('KEYWORDS', 'AUTO', 'CATEGORIES', 'PRODUCTS', 'CATEGORY_TREE', 'CATEGORY_BRANDS', 'BUDGET'));
