-- What all products sold is read from the index alone.
alter table product_sum drop constraint product_sum_pkey,
  add primary key (merchant_id, profile_id, days, start, asin) include (total_units, total_sales_micros);
