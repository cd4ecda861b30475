-- What the marketplace recommended for products, kept for a while so that review and launch see the same.
create table recommendation_answer (
  merchant_id bigint not null,
  profile_id bigint not null,
  kind text not null check (kind in ('KEYWORDS', 'AUTO', 'CATEGORIES', 'PRODUCTS')),
  -- The products' ASINs, sorted, with commas between them.
  subject text not null,
  answer jsonb not null,
  fetched_at timestamptz not null,
  primary key (merchant_id, profile_id, kind, subject)
);
alter table recommendation_answer enable row level security;
create policy tenant on recommendation_answer using (merchant_id = any(current_merchants()));
