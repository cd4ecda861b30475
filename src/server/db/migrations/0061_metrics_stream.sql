-- A record of the stream names only the marketplace's campaign; this finds whose it is.
create index campaign_amazon_id on campaign (amazon_id);
