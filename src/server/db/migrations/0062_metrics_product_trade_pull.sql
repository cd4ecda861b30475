-- Which days' sales by product were read, and when: a day on which nothing sold has no other trace.
create table product_trade_pull (
  merchant_id bigint not null,
  marketplace_id bigint not null,
  date date not null,
  pulled_at timestamptz not null,
  primary key (merchant_id, marketplace_id, date)
);
alter table product_trade_pull enable row level security;
create policy tenant on product_trade_pull using (merchant_id = any(current_merchants()));
