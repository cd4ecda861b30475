-- A day's sales and its sales by product are replaced together. Stale: a later report tells other sales of that day.
alter table product_trade_pull add column stale boolean not null default false;
update product_trade_pull p set stale = true
  where (select t.sales_micros from trade_day t
      where t.merchant_id = p.merchant_id and t.marketplace_id = p.marketplace_id and t.date = p.date)
    is distinct from (select coalesce(sum(d.sales_micros), 0)::bigint from product_trade_day d
      where d.merchant_id = p.merchant_id and d.marketplace_id = p.marketplace_id and d.date = p.date);
