-- Local: the code with which an account recommends the product.
create table affiliate (
  account_id bigint primary key,
  code text not null unique check (code = upper(code)),
  created_at timestamptz not null
);

-- Local: who registered with whose code; each account once.
create table affiliate_referral (
  referred_account_id bigint primary key,
  affiliate_account_id bigint not null,
  -- What the affiliate sees of the referred account: a shortened address, never the whole.
  label text not null,
  registered_at timestamptz not null,
  -- Its first invoice that cost something; commissions are earned for twelve months from then.
  first_paid_at timestamptz,
  check (referred_account_id <> affiliate_account_id)
);
create index affiliate_referral_affiliate on affiliate_referral (affiliate_account_id, registered_at desc);

-- Local: what an invoice earned, once each. Amounts in the smallest unit of the currency. Pending until `payable_at`, then
-- payable, until it is paid out or reversed.
create table affiliate_commission (
  invoice_id text primary key,
  affiliate_account_id bigint not null,
  referred_account_id bigint not null,
  currency text not null,
  -- What was paid for the plan's price.
  base_amount bigint not null check (base_amount > 0),
  amount bigint not null check (amount >= 0),
  invoice_paid_at timestamptz not null,
  payable_at timestamptz not null,
  paid_out_at timestamptz,
  -- The invoice was voided, refunded or disputed.
  reversed_at timestamptz,
  -- When what was paid out before its reversal was set off against a later payout.
  recovered_at timestamptz,
  check (recovered_at is null or (paid_out_at is not null and reversed_at is not null))
);
create index affiliate_commission_affiliate on affiliate_commission (affiliate_account_id, invoice_paid_at desc);
