-- Rows that were shown and do not say so yet. An import names them here: to mark half a million rows themselves, each in every
-- index, would take it as long as all the rest, and lock them until it ends. A job marks them, some at a time.
create table newly_shown (
  merchant_id bigint not null,
  profile_id bigint not null,
  entity text not null,
  id bigint not null,
  primary key (merchant_id, profile_id, entity, id)
);
alter table newly_shown enable row level security;
create policy tenant on newly_shown using (merchant_id = any((select current_merchants())::bigint[]));
