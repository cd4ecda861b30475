-- Orders what was read from the payment provider: an answer to an earlier question never overwrites one to a later question.
create sequence subscription_reading;
alter table subscription add column reading bigint not null default 0;
-- Whether there is a card that the provider can charge; null before it was read.
alter table subscription add column has_card boolean;
