-- The ids of all categories that the marketplace knows are kept as its recommendations are; their subject is empty.
alter table recommendation_answer drop constraint recommendation_answer_kind_check;
alter table recommendation_answer add constraint recommendation_answer_kind_check
  check (kind in ('KEYWORDS', 'AUTO', 'CATEGORIES', 'PRODUCTS', 'CATEGORY_TREE'));
