-- Deltas of the stream whose campaign is not mirrored yet: whose they are is not known, so that they lie beside the tenants
-- until it is. What only an order's window tells apart is kept for sellers (7 days) and vendors (14).
create table stream_unplaced (
  idempotency_id text primary key,
  campaign_amazon_id text not null,
  advertiser_id text not null,
  marketplace_code text not null,
  hour timestamptz not null,
  impressions int not null,
  clicks int not null,
  cost_micros bigint not null,
  seller_sales_micros bigint not null,
  seller_orders int not null,
  seller_units int not null,
  vendor_sales_micros bigint not null,
  vendor_orders int not null,
  vendor_units int not null,
  received_at timestamptz not null
);
create index stream_unplaced_campaign on stream_unplaced (campaign_amazon_id);
create index stream_unplaced_received on stream_unplaced (received_at);
create index stream_unplaced_advertiser on stream_unplaced (advertiser_id, marketplace_code, received_at);
