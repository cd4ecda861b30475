-- Whether the provider's draft of this run added up to something else, so that it was not finalized.
alter table billing_run add column draft_differs boolean not null default false;

-- Local: payments that a buyer's bank disputes, as the provider has them. Amounts in the smallest unit of the currency.
create table payment_dispute (
  id text primary key,
  account_id bigint not null,
  -- The invoice that was paid; null if the payment was for none.
  invoice_id text,
  currency text not null,
  amount bigint not null,
  -- In the provider's word.
  reason text not null,
  status text not null,
  opened_at timestamptz not null,
  -- Null while the bank has not decided.
  closed_at timestamptz
);
create index payment_dispute_account on payment_dispute (account_id);
