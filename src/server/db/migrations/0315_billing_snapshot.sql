-- Local: what the payment provider last said of an account's cards and next charge. It is asked at most every five minutes, and
-- this is shown while it cannot be reached.
create table billing_snapshot (
  account_id bigint primary key,
  -- [{id, brand, last4, expMonth, expYear, isDefault}]; null before it was first asked.
  cards jsonb,
  cards_read_at timestamptz,
  -- {at, currency, total, parts}, amounts in the smallest unit of the currency; null when nothing is coming.
  next_charge jsonb,
  next_charge_read_at timestamptz,
  -- The cards of an account are changed one after the other.
  locked_until timestamptz,
  holder text
);
