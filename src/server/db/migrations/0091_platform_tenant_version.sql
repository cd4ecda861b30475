-- Rises with every transaction that wrote rows of the merchant: an answer made at one version is good until the next.
create table tenant_version (
  merchant_id bigint primary key,
  version bigint not null
);
alter table tenant_version enable row level security;
create policy tenant on tenant_version using (merchant_id = any(current_merchants()));
