-- The brands that the marketplace names in a category are kept as its recommendations are; their subject is the category's id.
alter table recommendation_answer drop constraint recommendation_answer_kind_check;
alter table recommendation_answer add constraint recommendation_answer_kind_check
  check (kind in ('KEYWORDS', 'AUTO', 'CATEGORIES', 'PRODUCTS', 'CATEGORY_TREE', 'CATEGORY_BRANDS'));
